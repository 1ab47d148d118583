package compattest

import "strings"

// compatShape is a row of the page.
type compatShape struct {
	name   string
	origin string // what the remote holds; see compatBase
	make   string // a script that makes the clone
	folder string // where commands run; "": work
	later  string // a script that runs after the first resume
	flags  []string
	local  bool // nothing is pushed, and that is right
}

// gone reports whether the remote does not answer any more.
func (s compatShape) gone() bool {
	return s.later == compatGone || strings.HasSuffix(s.make, compatGone)
}

const compatGone = `mv "$D/origin.git" "$D/away.git"`

var compatShapes = []compatShape{
	{name: "plain", origin: "plain", make: `git clone -q "$URL" work`},
	{name: "depth 1 of main", origin: "plain", make: `git clone -q --depth 1 "$URL" work`},
	{name: "depth 1 of the run's branch", origin: "plain", make: `git clone -q --depth 1 -b agent-run/r-1 "$URL" work`},
	{name: "depth 1, the remote gone since", origin: "plain", make: `git clone -q --depth 1 -b agent-run/r-1 "$URL" work
git -C work fetch -q origin 'refs/agent/*:refs/agent/*'; ` + compatGone},
	{name: "single branch", origin: "plain", make: `git clone -q --single-branch -b main "$URL" work`},
	{name: "no tags, another name for the remote", origin: "plain", make: `git clone -q --no-tags -o upstream "$URL" work`},
	{name: "blobless (`--filter=blob:none`)", origin: "plain", make: `git clone -q --filter=blob:none "$URL" work`},
	{name: "treeless (`--filter=tree:0`)", origin: "plain", make: `git clone -q --filter=tree:0 "$URL" work`},
	{name: "blobless, the remote gone after a resume", origin: "plain", make: `git clone -q --filter=blob:none "$URL" work`, later: compatGone},
	{name: "blobless, the remote gone since", origin: "plain", make: `git clone -q --filter=blob:none --no-checkout "$URL" work
git -C work fetch -q origin 'refs/agent/*:refs/agent/*'; ` + compatGone},
	{name: "the remote gone after a resume", origin: "plain", make: `git clone -q "$URL" work`, later: compatGone},
	{name: "no remote", origin: "plain", local: true, make: `git clone -q -b agent-run/r-1 "$URL" work
cd work; git fetch -q origin 'refs/agent/*:refs/agent/*'; git branch -q main origin/main; git remote remove origin`},
	{name: "bare", origin: "plain", make: `git clone -q --bare "$URL" work`},
	{name: "mirror", origin: "plain", make: `git clone -q --mirror "$URL" work`},
	{name: "linked worktree of a bare clone", origin: "plain", make: `git clone -q --bare "$URL" bare.git; git -C bare.git worktree add -q ../work main`},
	{name: "linked worktree", origin: "plain", make: `git clone -q "$URL" first; git -C first worktree add -q -b side ../work`},
	{name: "linked worktree, the run's branch in another", origin: "plain", make: `git clone -q -b agent-run/r-1 "$URL" first
git -C first worktree add -q --track -b main ../work origin/main`},
	{name: "borrowed objects (`--shared`)", origin: "plain", make: `git clone -q --shared "$D/origin.git" work; git -C work remote set-url origin "$URL"`},
	{name: "git folder elsewhere (`--separate-git-dir`)", origin: "plain", make: `git clone -q --separate-git-dir="$D/elsewhere" "$URL" work`},
	{name: "a folder with a blank, quotes and a newline", origin: "plain", folder: "od d\n'\"$x", make: `git clone -q "$URL" "$(printf 'od d\n%s' "'\"\$x")"`},
	{name: "sparse, the step inside the cone", origin: "plain", make: `git clone -q --sparse "$URL" work; git -C work sparse-checkout set a`},
	{name: "sparse, the step outside the cone", origin: "plain", make: `git clone -q --sparse "$URL" work; git -C work sparse-checkout set b`},
	{name: "sparse by patterns, the step inside", origin: "plain", make: `git clone -q --sparse "$URL" work; git -C work sparse-checkout set --no-cone '/*' '!/b/'`},
	{name: "sparse by patterns, the step outside", origin: "plain", make: `git clone -q --sparse "$URL" work; git -C work sparse-checkout set --no-cone '/b/'`},
	{name: "sparse index, the step outside the cone", origin: "plain", make: `git clone -q --sparse "$URL" work; git -C work sparse-checkout set --sparse-index b`},
	{name: "detached, as CI leaves it", origin: "plain", make: `git init -q -b main work; cd work; git remote add origin "$URL"
git fetch -q --no-tags --depth=1 origin "+$(git ls-remote "$URL" refs/heads/agent-run/r-1 | cut -f1):refs/remotes/origin/agent-run/r-1"
git checkout -q --force --detach refs/remotes/origin/agent-run/r-1`},
	{name: "SHA-256", origin: "sha256", make: `git clone -q "$URL" work`},
	{name: "submodule beside, not there", origin: "beside", make: `git clone -q "$URL" work`},
	{name: "submodule beside, untracked files in it", origin: "beside", make: submodules + `; git -C work checkout -q agent-run/r-1; echo x > work/b/module/untracked`},
	{name: "submodule beside, at another commit", origin: "beside", make: submodules + `; git -C work checkout -q agent-run/r-1
git -C work/b/module -c user.name=x -c user.email=x@x commit -q --allow-empty -m more`},
	{name: "submodule under touches, not there", origin: "module", make: `git clone -q "$URL" work`},
	{name: "submodule under touches, moved by the step", origin: "module", make: submodules},
	{name: "submodule under touches, untracked files in it", origin: "module", make: submodules + `; git -C work checkout -q agent-run/r-1
for i in 3 4 5 6; do echo x > work/a/s0$i-module/untracked; done`},
	{name: "clean and smudge filter (as git-lfs)", origin: "filter", make: upFilter + `git clone -q "$URL" work`},
	{name: "filter that is required and fails", origin: "filter", make: upFilter + `git clone -q "$URL" work; git config --global filter.up.clean no-such-filter
git config --global filter.up.smudge no-such-filter`},
	{name: "line ends (`core.autocrlf=true`, `eol=crlf`)", origin: "eol", make: `git config --global core.autocrlf true; git clone -q "$URL" work`},
	{name: "a rename of case alone", origin: "case", make: `git clone -q "$URL" work`},
	{name: "names with blanks, newlines, quotes, no UTF-8", origin: "names", make: `git clone -q "$URL" work`},
}

const submodules = `git clone -q "$URL" work; git -C work config submodule.recurse true
git -C work submodule --quiet init; git -C work config --get-regexp 'submodule.*url' | while read -r key url; do git -C work config "$key" "$D/origin.git/inner.git"; done
git -C work -c protocol.file.allow=always submodule --quiet update`
