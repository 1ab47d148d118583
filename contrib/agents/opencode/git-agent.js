// git-agent for opencode: the brief of the run that is checked out goes into the
// system prompt of every request, and into what is kept at compaction. It is
// asked for once a session and again after a compaction, so that the prompt
// stays the same in between. Without a run, or without git-agent, it does nothing.
import { spawn } from "node:child_process"

const ask = (cwd, source) =>
  new Promise((resolve) => {
    let out = ""
    const child = spawn("git", ["agent", "brief", "--hook"], { cwd, timeout: 20000, stdio: ["pipe", "pipe", "ignore"] })
    child.on("error", () => resolve(""))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (data) => (out += data))
    child.on("close", () => {
      try {
        resolve(JSON.parse(out).hookSpecificOutput.additionalContext)
      } catch {
        resolve("")
      }
    })
    child.stdin.end(JSON.stringify({ cwd, source, hook_event_name: "SessionStart" }))
  })

export const GitAgent = async ({ directory }) => {
  const briefs = new Map()
  const brief = (session, source) => {
    if (!briefs.has(session)) briefs.set(session, ask(directory, source))
    return briefs.get(session)
  }
  return {
    event: async ({ event }) => {
      if (event.type !== "session.compacted") return
      const session = event.properties?.sessionID
      briefs.delete(session)
      await brief(session, "compact")
    },
    "experimental.chat.system.transform": async (input, output) => {
      const text = await brief(input?.sessionID, "startup")
      if (text) output.system.push(text)
    },
    "experimental.session.compacting": async (_input, output) => {
      const text = await ask(directory, "")
      if (text) output.context.push(text)
    },
  }
}
