package setup

// part is one file of an agent's settings and what of the kit goes into it.
type part struct {
	what string
	base string // a variable that names the folder; else home, or the top of the working tree
	dir  string // below home, where the variable is not set
	file string // below base; "|" separates names of which the first that is there counts
	kind kind
	from string // in the kit
	// open and closing mark our lines in a text.
	open, closing string
	// clash are the lines that our block must not stand beside.
	clash string
}

type kind string

const (
	entries kind = "entries" // elements of lists and members of objects in a JSON file
	block   kind = "block"   // lines between two markers
	whole   kind = "whole"   // a file of ours
)

// agentKit is what one agent needs, for each scope that it has.
type agentKit struct {
	name    string
	parts   map[Scope][]part
	caveats []string
}

const (
	skill     = "plugins/git-agent/skills/git-agent/SKILL.md"
	hooksJSON = "plugins/git-agent/hooks/hooks.json"
	mcpJSON   = "plugins/git-agent/.mcp.json"
	hash      = "# "
)

// in is a part for a person, below a folder of home that a variable may move.
func in(variable, dir string, p part) part {
	p.base, p.dir = variable, dir
	return p
}

var agents = []agentKit{
	{name: "claude", parts: map[Scope][]part{
		User: {
			in("CLAUDE_CONFIG_DIR", ".claude", part{what: "hooks", file: "settings.json", kind: entries, from: hooksJSON}),
			in("CLAUDE_CONFIG_DIR", ".claude", part{what: "skill", file: "skills/git-agent/SKILL.md", kind: whole, from: skill}),
		},
		Project: {
			{what: "hooks", file: ".claude/settings.json", kind: entries, from: hooksJSON},
			{what: "skill", file: ".claude/skills/git-agent/SKILL.md", kind: whole, from: skill},
			{what: "mcp", file: ".mcp.json", kind: entries, from: mcpJSON},
		},
	}, caveats: []string{"claude --bare runs no hooks; the MCP server for all projects: claude mcp add --scope user git-agent -- git agent mcp"}},
	{name: "codex", parts: map[Scope][]part{
		User: {
			in("CODEX_HOME", ".codex", part{what: "hooks", file: "hooks.json", kind: entries, from: hooksJSON}),
			in("", "", part{what: "skill", file: ".agents/skills/git-agent/SKILL.md", kind: whole, from: skill}),
			in("CODEX_HOME", ".codex", part{what: "mcp", file: "config.toml", kind: block, from: "codex/mcp.toml", open: hash, clash: `(?m)^\s*(\[mcp_servers\.("?)git-agent("?)\]|mcp_servers\s*=|mcp_servers\.)`}),
		},
		Project: {
			{what: "hooks", file: ".codex/hooks.json", kind: entries, from: hooksJSON},
			{what: "skill", file: ".agents/skills/git-agent/SKILL.md", kind: whole, from: skill},
		},
	}, caveats: []string{"Codex runs hooks only after you looked at them and trusted them: /hooks"}},
	{name: "gemini", parts: map[Scope][]part{
		User: {
			in("", ".gemini", part{what: "hooks", file: "settings.json", kind: entries, from: "gemini/hooks/hooks.json"}),
			in("", ".gemini", part{what: "mcp", file: "settings.json", kind: entries, from: mcpJSON}),
		},
		Project: {
			{what: "hooks", file: ".gemini/settings.json", kind: entries, from: "gemini/hooks/hooks.json"},
			{what: "mcp", file: ".gemini/settings.json", kind: entries, from: mcpJSON},
		},
	}, caveats: []string{"Gemini CLI runs a project's hooks in a trusted folder only"}},
	{name: "opencode", parts: map[Scope][]part{
		User: {
			in("XDG_CONFIG_HOME", ".config", part{what: "plugin", file: "opencode/plugins/git-agent.js", kind: whole, from: "opencode/git-agent.js"}),
			in("XDG_CONFIG_HOME", ".config", part{what: "mcp", file: "opencode/opencode.jsonc|opencode/opencode.json", kind: entries, from: "opencode/mcp.json"}),
		},
		Project: {
			{what: "plugin", file: ".opencode/plugins/git-agent.js", kind: whole, from: "opencode/git-agent.js"},
			{what: "mcp", file: "opencode.jsonc|opencode.json", kind: entries, from: "opencode/mcp.json"},
		},
	}, caveats: []string{"opencode has no stop hook: nothing sends it back"}},
	{name: "cursor", parts: map[Scope][]part{
		User: {
			in("", ".cursor", part{what: "hooks", file: "hooks.json", kind: entries, from: "cursor/hooks.json"}),
			in("", ".cursor", part{what: "mcp", file: "mcp.json", kind: entries, from: mcpJSON}),
		},
		Project: {
			{what: "hooks", file: ".cursor/hooks.json", kind: entries, from: "cursor/hooks.json"},
			{what: "mcp", file: ".cursor/mcp.json", kind: entries, from: mcpJSON},
		},
	}},
	{name: "copilot", parts: map[Scope][]part{
		Project: {{what: "hooks", file: ".github/hooks/git-agent.json", kind: whole, from: "copilot/git-agent.json"}},
	}},
	{name: "aider", parts: map[Scope][]part{
		User:    {in("", "", part{what: "settings", file: ".aider.conf.yml", kind: block, from: "aider/aider.conf.yml", open: hash, clash: `(?m)^auto-commits\s*:`})},
		Project: {{what: "settings", file: ".aider.conf.yml", kind: block, from: "aider/aider.conf.yml", open: hash, clash: `(?m)^auto-commits\s*:`}},
	}, caveats: []string{`aider has no hooks: let it do the steps: git agent step -- sh -c 'exec aider --yes --no-auto-commits --message-file "$GIT_AGENT_BRIEF"'`}},
	{name: "agents-md", parts: map[Scope][]part{
		Project: {{what: "instructions", file: "AGENTS.md", kind: block, from: "AGENTS.snippet.md", open: "<!-- ", closing: " -->"}},
	}},
}
