package agentstest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// reply is what the scripted model says: words, a command for the agent's shell
// tool, or a call of a tool of ours, whatever prefix the client gave it.
type reply struct{ text, shell, tool string }

// named finds the whole name of a tool of ours among those that a request offers.
func named(tool, body string) string {
	if found := regexp.MustCompile(`mcp_[A-Za-z0-9_-]*` + tool).FindString(body); found != "" {
		return found
	}
	return tool
}

// model is a server that speaks the dialects of all clients and follows one
// script: script[i] answers the i-th request that comes with tools (the side
// requests for titles and the like come without, or with another model).
type model struct {
	*httptest.Server
	t        *testing.T
	mu       sync.Mutex
	script   []reply
	said     int
	requests []string // bodies, of the main conversation
	other    []string
}

func newModel(t *testing.T, script ...reply) *model {
	m := &model{t: t, script: script}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.Close)
	return m
}

// next is the model's turn; main says whether the request is of the conversation.
func (m *model) next(body string, main bool) reply {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !main {
		m.other = append(m.other, body)
		return reply{text: "ok"}
	}
	m.requests = append(m.requests, body)
	if m.said < len(m.script) {
		m.said++
		return m.script[m.said-1]
	}
	return reply{text: "I am done."}
}

// turn is the i-th request's body; the last where i is negative.
func (m *model) turn(i int) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i < 0 {
		i += len(m.requests)
	}
	if i < 0 || i >= len(m.requests) {
		return ""
	}
	return m.requests[i]
}

func (m *model) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.requests)
}

func (m *model) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	body := string(raw)
	var asked struct {
		Tools  []json.RawMessage `json:"tools"`
		Stream bool              `json:"stream"`
	}
	_ = json.Unmarshal(raw, &asked)
	path := r.URL.Path
	switch {
	case strings.HasSuffix(path, "/messages"):
		m.anthropic(w, m.next(body, len(asked.Tools) > 0 || strings.Contains(body, "summar")), asked.Stream, body)
	case strings.HasSuffix(path, "/responses"):
		m.responses(w, m.next(body, len(asked.Tools) > 0), body)
	case strings.HasSuffix(path, "/chat/completions"):
		m.chat(w, m.next(body, len(asked.Tools) > 0))
	case strings.Contains(path, ":streamGenerateContent"), strings.Contains(path, ":generateContent"):
		m.gemini(w, m.next(body, strings.Contains(body, "run_shell_command")), strings.Contains(path, ":stream"), body)
	case strings.HasSuffix(path, "/count_tokens"), strings.Contains(path, ":countTokens"):
		_, _ = fmt.Fprint(w, `{"input_tokens":10,"totalTokens":10}`)
	case strings.HasSuffix(path, "/models"):
		_, _ = fmt.Fprint(w, `{"object":"list","data":[],"models":[]}`)
	default:
		http.NotFound(w, r)
	}
}

// events writes a server-sent stream.
func events(w http.ResponseWriter, named bool, all ...map[string]any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range all {
		data, _ := json.Marshal(e)
		if named {
			_, _ = fmt.Fprintf(w, "event: %s\n", e["type"])
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	}
}

type object = map[string]any

func (m *model) anthropic(w http.ResponseWriter, r reply, stream bool, body string) {
	usage := object{"input_tokens": 10, "output_tokens": 10}
	block, delta, stop := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": r.text}, "end_turn"
	if r.shell != "" {
		input, _ := json.Marshal(object{"command": r.shell, "description": "work"})
		block = object{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", m.count()), "name": "Bash", "input": object{}}
		delta, stop = object{"type": "input_json_delta", "partial_json": string(input)}, "tool_use"
	}
	if r.tool != "" {
		block = object{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", m.count()), "name": named(r.tool, body), "input": object{}}
		delta, stop = object{"type": "input_json_delta", "partial_json": "{}"}, "tool_use"
	}
	message := object{"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}
	if !stream {
		message["content"], message["stop_reason"] = []any{object{"type": "text", "text": r.text}}, "end_turn"
		_ = json.NewEncoder(w).Encode(message)
		return
	}
	events(w, true, object{"type": "message_start", "message": message},
		object{"type": "content_block_start", "index": 0, "content_block": block},
		object{"type": "content_block_delta", "index": 0, "delta": delta},
		object{"type": "content_block_stop", "index": 0},
		object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": usage},
		object{"type": "message_stop"})
}

// responses is the dialect of Codex, whose shell tool has had several names.
func (m *model) responses(w http.ResponseWriter, r reply, body string) {
	item := object{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []any{object{"type": "output_text", "text": r.text, "annotations": []any{}}}}
	if r.shell != "" {
		name, args := "shell", object{"command": []string{"sh", "-c", r.shell}}
		switch {
		case strings.Contains(body, `"exec_command"`):
			name, args = "exec_command", object{"cmd": r.shell, "login": false} // a login shell has another PATH
		case strings.Contains(body, `"shell_command"`):
			name, args = "shell_command", object{"command": r.shell}
		}
		input, _ := json.Marshal(args)
		item = object{"type": "function_call", "id": "fc_1", "call_id": fmt.Sprintf("call_%d", m.count()), "name": name, "arguments": string(input), "status": "completed"}
	}
	usage := object{"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}
	events(w, true, object{"type": "response.created", "response": object{"id": "resp_1", "status": "in_progress"}},
		object{"type": "response.output_item.done", "output_index": 0, "item": item},
		object{"type": "response.completed", "response": object{"id": "resp_1", "status": "completed", "output": []any{item}, "usage": usage}})
}

func (m *model) chat(w http.ResponseWriter, r reply) {
	delta, finish := object{"role": "assistant", "content": r.text}, "stop"
	if r.shell != "" {
		input, _ := json.Marshal(object{"command": r.shell, "description": "work"})
		delta = object{"role": "assistant", "tool_calls": []any{object{"index": 0, "id": fmt.Sprintf("call_%d", m.count()), "type": "function", "function": object{"name": "bash", "arguments": string(input)}}}}
		finish = "tool_calls"
	}
	chunk := func(delta object, finish any) object {
		return object{"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "test", "choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}}}
	}
	events(w, false, chunk(delta, nil), chunk(object{}, finish))
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
}

func (m *model) gemini(w http.ResponseWriter, r reply, stream bool, body string) {
	part := object{"text": r.text}
	if r.shell != "" {
		part = object{"functionCall": object{"name": "run_shell_command", "args": object{"command": r.shell, "description": "work"}}}
	}
	if r.tool != "" {
		part = object{"functionCall": object{"name": named(r.tool, body), "args": object{}}}
	}
	answer := object{"candidates": []any{object{"content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}}
	if stream {
		events(w, false, answer)
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}
