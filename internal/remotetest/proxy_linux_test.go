package remotetest

import (
	"bytes"
	"net"
	"sync"
	"testing"
	"time"
)

// manner is how an answer ends at the point where it is cut.
type manner int

const (
	reset manner = iota // the connection breaks, the next one works
	down                // it breaks, and so does every later one until up
	stall               // nothing comes any more, the connection stays
)

// cut says where an answer ends.
type cut struct {
	trigger string // in what the client sends; the answer counts from there
	nth     int    // which connection with the trigger: 1, 2, …
	after   int    // bytes of the answer that arrive
	manner  manner
}

// proxy is a way to a server that can break.
type proxy struct {
	t      *testing.T
	target string
	addr   string

	guard  sync.Mutex
	cut    cut
	seen   int  // connections with the trigger
	length int  // bytes of the answer that arrived in the one that counts
	done   bool // the cut was made
	isDown bool
	conns  map[net.Conn]bool
}

func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{t: t, target: target, addr: l.Addr().String(), conns: map[net.Conn]bool{}}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() { p.serve(conn) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		p.guard.Lock()
		for conn := range p.conns {
			_ = conn.Close()
		}
		p.guard.Unlock()
		running.Wait()
	})
	return p
}

// arm sets the next cut, and forgets the last one.
func (p *proxy) arm(c cut) {
	p.guard.Lock()
	defer p.guard.Unlock()
	p.cut, p.seen, p.length, p.done, p.isDown = c, 0, 0, false, false
}

// up lets everything through from now on.
func (p *proxy) up() { p.arm(cut{}) }

// was answers how many bytes of the answer arrived, and whether it was cut.
func (p *proxy) was() (length int, done bool) {
	p.guard.Lock()
	defer p.guard.Unlock()
	return p.length, p.done
}

func (p *proxy) keep(conns ...net.Conn) (ok bool) {
	p.guard.Lock()
	defer p.guard.Unlock()
	for _, c := range conns {
		p.conns[c] = true
	}
	return !p.isDown
}

// broken ends a connection as a network does: with a reset.
func broken(conns ...net.Conn) {
	for _, c := range conns {
		_ = c.(*net.TCPConn).SetLinger(0)
		_ = c.Close()
	}
}

func (p *proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		broken(client)
		return
	}
	if !p.keep(client, server) {
		broken(client, server)
		return
	}
	v := &victim{proxy: p, client: client, server: server}
	var both sync.WaitGroup
	both.Go(v.up)
	both.Go(v.down)
	both.Wait()
	_, _ = client.Close(), server.Close()
	p.forget(client, server)
}

func (p *proxy) forget(conns ...net.Conn) {
	p.guard.Lock()
	defer p.guard.Unlock()
	for _, c := range conns {
		delete(p.conns, c)
	}
}

// victim is one connection; it is cut if it turns out to be the one meant.
type victim struct {
	*proxy
	client, server net.Conn
	recent         []byte // the end of what the client sent
	meant          bool   // under the proxy's guard
}

// up carries what the client sends, and looks for the trigger.
func (v *victim) up() {
	buf := make([]byte, 32<<10)
	for {
		n, err := v.client.Read(buf)
		v.look(buf[:n])
		if n > 0 {
			_, _ = v.server.Write(buf[:n])
		}
		if err != nil {
			_ = v.server.(*net.TCPConn).CloseWrite()
			return
		}
	}
}

func (v *victim) look(sent []byte) {
	v.guard.Lock()
	defer v.guard.Unlock()
	trigger := []byte(v.cut.trigger)
	v.recent = append(v.recent, sent...)
	if len(trigger) == 0 || v.meant || !bytes.Contains(v.recent, trigger) {
		return
	}
	v.recent = nil
	v.seen++
	v.meant = v.seen == v.cut.nth
}

// down carries the answer, up to where it is cut.
func (v *victim) down() {
	buf := make([]byte, 32<<10)
	for {
		n, err := v.server.Read(buf)
		pass, how, ends := v.allowed(n)
		if pass > 0 {
			_, _ = v.client.Write(buf[:pass])
		}
		switch {
		case ends && how == stall && err == nil:
			continue // swallow the rest
		case ends && how == stall:
			return // the client's end stays open
		case ends:
			// What was sent is to arrive: a reset would overtake it.
			_ = v.client.(*net.TCPConn).CloseWrite()
			_ = v.server.Close()
			_ = v.client.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
			return
		case err != nil:
			_ = v.client.(*net.TCPConn).CloseWrite()
			return
		}
	}
}

// allowed is how much of an answer passes, and whether it ends there.
func (v *victim) allowed(n int) (pass int, how manner, ends bool) {
	v.guard.Lock()
	defer v.guard.Unlock()
	if !v.meant {
		return n, 0, v.isDown
	}
	pass = min(n, v.cut.after-v.length)
	v.length += pass
	ends = v.length >= v.cut.after
	if ends {
		v.done, v.isDown = true, v.cut.manner == down
	}
	return pass, v.cut.manner, ends
}
