package setup

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/git-agent/git-agent/internal/setup/jsonc"
)

// What is ours is known by what it runs. That a person's own entry may look the
// same is why what was there before is noted, see [note].

// server is the name of ours among an agent's MCP servers.
const server = "git-agent"

var (
	// ours are the commands by which our hooks are known.
	ours = lazy(`git agent (brief --hook|hook stop)`)
	// serves is how our server is written, runsUs how a person may have written it.
	serves = lazy(`"agent",\s*"mcp"`)
	runsUs = lazy(`"agent",\s*"mcp"|git[ -]agent mcp|git-agent(\.exe)?"[^}]*"mcp"`)
)

// isOurs: a hook whose command is ours, or a server of our name that runs us.
func isOurs(text []byte, item *jsonc.Item) bool {
	v := &item.Value
	if v.Kind != jsonc.Object {
		return false
	}
	body := text[v.Start:v.End]
	if item.Key == server {
		return serves().Match(body)
	}
	for _, key := range []string{"command", "bash"} {
		if c := v.Get(key); c != nil && c.Kind == jsonc.Other && ours().Match(text[c.Start:c.End]) {
			return true
		}
	}
	return false
}

// theirs are digests of what looks like one of these entries of ours and is not
// it word for word: that one may be ours, from another clone.
func theirs(text []byte, wanted []entry) (digests []string) {
	root, err := jsonc.Parse(text)
	if err != nil || root == nil {
		return nil // whoever adds to it says so
	}
	for _, e := range wantedEntries(text, root) {
		likeIt := slices.IndexFunc(wanted, e.looksLike)
		if likeIt >= 0 && !bytes.Equal(tidy(e.raw()), tidy(wanted[likeIt].raw())) {
			digests = append(digests, digest(tidy(e.raw())))
		}
	}
	return digests
}

func (e entry) looksLike(wanted entry) bool {
	if !slices.Equal(e.path, wanted.path) {
		return false
	}
	if named, ok := wanted.value.(jsonc.Named); ok {
		mine, ok := e.value.(jsonc.Named)
		return ok && named.Key == server && mine.Key == server
	}
	command := ours().Find(wanted.raw())
	return command != nil && bytes.Contains(e.raw(), command)
}

func (e entry) raw() []byte {
	if named, ok := e.value.(jsonc.Named); ok {
		raw, _ := named.Value.(json.RawMessage)
		return raw
	}
	raw, _ := e.value.(json.RawMessage)
	return raw
}

// entryOf is the entry, see [wantedEntries], in which an item stands.
func entryOf(text []byte, chain []link) []byte {
	v := chain[min(2, len(chain)-1)].item().Value
	return text[v.Start:v.End]
}

// tidy is a text without its white space, to be compared.
func tidy(text []byte) []byte { return bytes.Join(bytes.Fields(text), nil) }
