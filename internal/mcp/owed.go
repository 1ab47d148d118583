package mcp

import (
	"encoding/json"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// owed are the requests that were handed to the sdk and have no answer yet. The
// sdk drops them all when its input ends, so the end is kept from it until
// nothing is owed.
type owed struct {
	mu      sync.Mutex
	changed *sync.Cond
	open    map[any]bool // by id
	over    bool
}

func newOwed() *owed {
	o := &owed{open: map[any]bool{}}
	o.changed = sync.NewCond(&o.mu)
	return o
}

// asked notes a message that is about to be handed over.
func (o *owed) asked(m jsonrpc.Message) {
	r, is := m.(*jsonrpc.Request)
	switch {
	case is && r.IsCall():
		o.set(r.ID.Raw(), true)
	case is && r.Method == "notifications/cancelled": // of what was taken back nothing is owed
		var taken struct{ RequestID json.RawMessage }
		if json.Unmarshal(r.Params, &taken) == nil {
			o.set(idOf(taken.RequestID), false)
		}
	}
}

func (o *owed) set(id any, open bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if delete(o.open, id); open {
		o.open[id] = true
	}
	o.changed.Broadcast()
}

// wait returns once every request was answered, or nobody waits any more.
func (o *owed) wait() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.open) > 0 && !o.over {
		o.changed.Wait()
	}
}

// end lets go of whoever waits.
func (o *owed) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	o.changed.Broadcast()
}

// answers is a stream of the sdk's messages that notes what they answer.
type answers struct {
	io.WriteCloser
	owed *owed
}

func (a answers) Write(p []byte) (int, error) {
	n, err := a.WriteCloser.Write(p)
	if m, errRead := jsonrpc.DecodeMessage(p); errRead == nil {
		if r, is := m.(*jsonrpc.Response); is {
			a.owed.set(r.ID.Raw(), false)
		}
	}
	return n, err
}
