package trace

import (
	"net"
	"regexp"
	"strings"
)

var (
	port  = lazy(`sin6?_port=htons\(([0-9]+)\)`)
	addr4 = lazy(`inet_addr\("([^"]+)"\)`)
	addr6 = lazy(`inet_pton\(AF_INET6, "([^"]+)"`)
	local = lazy(`sun_path=(@?"(?:[^"\\]|\\.)*")`)
)

// connect notes whom a socket is connected to, or sent a packet to. To try is
// enough for the network: whether it answers is what the check depends on.
func (r *reader) connect(c call) {
	how := strings.Join(c.args, ", ")
	switch {
	case strings.Contains(how, "sa_family=AF_INET"):
		address := first(addr4, how)
		if address == "" {
			address = first(addr6, how)
		}
		if number := first(port, how); address != "" && number != "0" {
			r.peers[net.JoinHostPort(address, number)] = true
		}
	case strings.Contains(how, "sa_family=AF_UNIX") && c.ok():
		if name, ok := quoted(strings.TrimPrefix(first(local, how), "@")); ok {
			r.peers["unix:"+name] = true
		}
	}
}

func first(pattern func() *regexp.Regexp, text string) string {
	if m := pattern().FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
