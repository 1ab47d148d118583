# git agent: what a contributor types. CI is `make ci`, which is .ci/run.

GO      ?= go
GOFLAGS ?=
PREFIX  ?= $(HOME)/.local
DESTDIR ?=
PKG     ?= ./...

# The one version of the linter, for here and CI.
GOLANGCI_VERSION := v2.15.0
GOLANGCI := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

# How long each fuzz target runs.
FUZZTIME ?= 30s

# The kill sweeps: every state-changing system call of a run, of the git
# processes it starts and of its checks is a point to be killed at, or to fail
# at. The whole one takes hours, and goes on where it was ended (dist/sweep.log);
# the short one is for every submission.
SWEEP       ?= mkdir -p dist && GIT_AGENT_SWEEP_LOG=$(CURDIR)/dist/sweep.log GIT_AGENT_SWEEP=full $(GO) test ./internal/killat -run TestSweep -count=1 -parallel $$(($$(nproc)+1)) -timeout 48h -v
SWEEP_SHORT ?= GIT_AGENT_SWEEP=90s $(GO) test ./internal/killat -run TestSweep -count=1 -timeout 20m

# Random histories against an oracle, which go on where they were ended
# (dist/soak.log); power cuts on ext4 and xfs and a full disk, as root.
SOAK  ?= mkdir -p dist && GIT_AGENT_SOAK_LOG=$(CURDIR)/dist/soak.log GIT_AGENT_SOAK=10000 $(GO) test -trimpath ./internal/soak -count=1 -timeout 48h -v -args -update
POWER ?= GIT_AGENT_POWER=full $(GO) test ./internal/killat -run 'TestPower|TestDisk' -count=1 -timeout 48h -v

# Jobs that outlive their runner: 200 rounds of killed runners, 2 GiB of output.
JOBS ?= GIT_AGENT_JOBS=full $(GO) test ./pkg/job -count=1 -timeout 1h -v

# Several machines over real transports: racers, and cuts at every byte.
MACHINES ?= GIT_AGENT_MACHINES=full $(GO) test ./internal/remotetest -count=1 -timeout 4h -v

.PHONY: build test race lint fmt cover fuzz sweep sweep-short soak power machines jobs e2e-hooks bench fleet fleet-files e2e-agents install dist dist-check ci clean

build: ## dist/git-agent
	CGO_ENABLED=0 $(GO) build -trimpath -o dist/git-agent ./cmd/git-agent

test:
	$(GO) test $(PKG)

race:
	GORACE=atexit_sleep_ms=0 $(GO) test -race -short $(PKG)

# Takes minutes the first time: it compiles the linter.
lint:
	$(GOLANGCI) run $(PKG)

fmt:
	gofmt -w $$(git ls-files --cached --others --exclude-standard '*.go')

cover:
	mkdir -p dist
	$(GO) test -coverprofile=dist/cover.out -coverpkg=./... $(PKG)
	$(GO) tool cover -func=dist/cover.out | tail -n 1
	$(GO) tool cover -html=dist/cover.out -o dist/cover.html

# Each fuzz target of PKG by itself, as `go test -fuzz` wants it.
fuzz:
	@set -eu; for pkg in $$($(GO) list $(PKG)); do \
	  for target in $$($(GO) test -list '^Fuzz' "$$pkg" | grep '^Fuzz' || :); do \
	    echo "== $$pkg $$target ($(FUZZTIME))"; \
	    $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$pkg"; \
	  done; \
	done

sweep:
	@test -n '$(SWEEP)' || { echo 'make sweep: set SWEEP to the command of the whole kill sweep' >&2; exit 2; }
	$(SWEEP)

sweep-short:
	@test -n '$(SWEEP_SHORT)' || { echo 'make sweep-short: set SWEEP_SHORT to the command of the short kill sweep' >&2; exit 2; }
	$(SWEEP_SHORT)

soak:
	$(SOAK)

power:
	$(POWER)

machines:
	$(MACHINES)

jobs:
	$(JOBS)

# A fleet: 40 runs, 8 workers in containers that are killed at random, over http.
fleet:
	GIT_AGENT_FLEET=full $(GO) test ./internal/remotetest -run TestFleet -count=1 -timeout 30m -v

# The manifests of contrib/fleet, against what reads them; a module of its own.
fleet-files:
	cd contrib/fleet/validate && $(GO) test ./...

# The real husky, lefthook and pre-commit; npm fetches the first two.
e2e-hooks:
	GIT_AGENT_E2E_HOOKS=1 $(GO) test ./internal/hooks -run TestRealManagers -count=1 -v

# What it costs, against what git itself takes; writes docs/performance.md.
bench:
	GIT_AGENT_BENCH=full $(GO) test ./bench -count=1 -timeout 1h -v -args -update

# The binary, the man pages that `git agent --help` asks man(1) for, and the
# completions: the program brings them along.
install: build
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -m 755 dist/git-agent '$(DESTDIR)$(PREFIX)/bin/git-agent'
	dist/git-agent install-docs --dir '$(DESTDIR)$(PREFIX)'

# What a release is made of, in dist/: see contrib/dist/build. dist-check builds
# it from two other folders and compares every byte.
dist:
	contrib/dist/build dist

dist-check:
	contrib/dist/check

# One run with the real coding agents, pinned, against a scripted model on
# loopback. Needs npm, about 1 GB and some minutes; AGENTS=<folder> keeps and
# reuses what npm installed.
AGENTS ?=
AGENT_CLIENTS := @anthropic-ai/claude-code@2.1.332 @openai/codex@0.171.0 @google/gemini-cli@0.61.0 opencode-ai@1.18.33

e2e-agents:
	@set -eu; dir='$(AGENTS)'; \
	if test -z "$$dir"; then dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; fi; \
	npm install --prefix "$$dir" --no-audit --no-fund --no-save $(AGENT_CLIENTS); \
	GIT_AGENT_E2E_AGENTS="$$dir" $(GO) test ./internal/agentstest -count=1 -timeout 30m -v

ci:
	.ci/run

clean:
	rm -rf dist
