package forgetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// request is what a command line of glab or tea asks for.
type request struct {
	host, method, endpoint string
	fields                 map[string]string
	paginate               bool
}

// standIn plays glab or tea: parse reads the command line, fails says whether an
// error of the server's is one of the command's. What it prints is the answer.
func standIn(parse func(args []string) (request, bool, error)) int {
	r, fails, err := parse(os.Args[1:])
	for err == nil && r.endpoint != "" {
		var next string
		if next, err = r.send(fails); !r.paginate || next == "" {
			break
		}
		at, _ := url.Parse(r.endpoint)
		q := at.Query()
		q.Set("page", next)
		at.RawQuery = q.Encode()
		r.endpoint = at.String()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (r request) send(fails bool) (next string, err error) {
	client := http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", os.Getenv("HUB"))
	}}}
	var content io.Reader
	if len(r.fields) > 0 {
		text, _ := json.Marshal(r.fields)
		content = bytes.NewReader(text)
	}
	q, err := http.NewRequest(r.method, "http://"+r.host+r.endpoint, content)
	if err != nil {
		return "", err
	}
	a, err := client.Do(q)
	if err != nil {
		return "", err
	}
	defer a.Body.Close()
	if _, err := io.Copy(os.Stdout, a.Body); err != nil {
		return "", err
	}
	if fails && a.StatusCode >= 400 {
		return "", errors.New(a.Status)
	}
	return a.Header.Get("X-Next-Page"), nil
}

// glab is `glab api` as its manual has it: fields make a POST, and a status of an
// error fails.
func glab(args []string) (r request, fails bool, err error) {
	r = request{fields: map[string]string{}}
	for i := 1; i < len(args); i++ {
		value := func() string { i++; return args[i] }
		switch {
		case args[i] == "--hostname":
			r.host = value()
		case args[i] == "--method":
			r.method = value()
		case args[i] == "--paginate":
			r.paginate = true
		case args[i] == "--raw-field":
			k, v, _ := strings.Cut(value(), "=")
			r.fields[k] = v
		case strings.HasPrefix(args[i], "-") || r.endpoint != "":
			return r, true, fmt.Errorf("glab: unknown argument %q", args[i])
		default:
			r.endpoint = "/api/v4/" + args[i]
		}
	}
	if r.method == "" {
		r.method = map[bool]string{true: "POST", false: "GET"}[len(r.fields) > 0]
	}
	return r, true, called(args, r)
}

// tea is `tea api`: it ends with 0 whatever the server says.
func tea(args []string) (r request, fails bool, err error) {
	r = request{host: "forge.example", method: "GET", fields: map[string]string{}}
	for i := 1; i < len(args); i++ {
		value := func() string { i++; return args[i] }
		switch {
		case args[i] == "--login":
			r.host = value() + ".example"
		case args[i] == "--method":
			r.method = value()
		case args[i] == "--field" || args[i] == "--Field":
			typed := args[i] == "--Field"
			k, v, _ := strings.Cut(value(), "=")
			if typed && v == "@-" {
				text, _ := io.ReadAll(os.Stdin)
				v = string(text)
			}
			r.fields[k] = v
		case strings.HasPrefix(args[i], "-") || r.endpoint != "":
			return r, false, fmt.Errorf("tea: unknown argument %q", args[i])
		default:
			r.endpoint = "/api/v1/" + args[i]
		}
	}
	return r, false, called(args, r)
}

func called(args []string, r request) error {
	if args[0] != "api" || r.endpoint == "" {
		return fmt.Errorf("not played: %q", args)
	}
	return nil
}
