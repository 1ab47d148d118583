package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReport_html: one file that loads nothing, runs nothing, is well-formed,
// and shows foreign text as text.
func TestReport_html(t *testing.T) {
	s := newStory(t)
	file := filepath.Join(t.TempDir(), "report.html")
	s.agent(0, "report", "--html", "--output", file)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, want := range []string{
		`content="default-src 'none'; style-src 'unsafe-inline'"`, "3 of 6 steps certified", "prefers-color-scheme: dark",
		"&lt;script&gt;alert(&#34;not here&#34;)&lt;/script&gt; &amp; release notes", "sessions are keyed by user id now",
		"refs/agent-stash/auth/s04/1", "go test ./auth/... -run Limit", "timeout", "landed 2", "attempt 1: 12 min 49 s until its checks",
		"its beginning is not in this clone", "without a record, not to scale", "api/routes.go",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %q", want)
		}
	}
	if refs := regexp.MustCompile(`(?i)(src|href|action)\s*=|url\((?:[^#])|@import|javascript:|\son[a-z]+=`).FindAllString(page, -1); len(refs) > 0 {
		t.Errorf("the page refers to something: %q", refs)
	}
	scripts := regexp.MustCompile(`<script[^>]*>`).FindAllString(page, -1)
	if len(scripts) != 1 || scripts[0] != `<script type="application/json" id="data">` {
		t.Errorf("scripts: %q", scripts)
	}
	_, rest, _ := strings.Cut(page, scripts[0])
	embedded, _, _ := strings.Cut(rest, "</script>")
	var review map[string]any
	if err := json.Unmarshal([]byte(embedded), &review); err != nil || review["format"] != 1.0 {
		t.Errorf("the embedded data: %v", err)
	}
	out, code := s.run(0, "report", "--html", "--output", filepath.Join(t.TempDir(), "none", "x.html"))
	if code != 129 || !strings.Contains(out, `none" to write "x.html" in`) {
		t.Errorf("into a folder that is not there: exit %d, %s", code, out)
	}
}

// TestReport_json is the same in a form for programs.
func TestReport_json(t *testing.T) {
	s := newStory(t)
	doc := decode(t, "report", s.agent(0, "report", "--json"))
	pin(t, "report", fields{"format": "number", "status": "object", "plan": "list", "attempts": "list", "commits": "list", "partial": "list", "landings": "list", "plans": "list", "squash": "string"}, doc)
	attempts, _ := doc["attempts"].([]any)
	if len(attempts) != 5 {
		t.Errorf("%d attempts, want 5", len(attempts))
	}
	first, _ := attempts[0].(map[string]any)
	if first["began"] != "2026-11-26T09:01:20Z" || first["outcome"] != "certified" {
		t.Errorf("the first attempt: %v", first)
	}
	if second, _ := attempts[1].(map[string]any); second["began"] != nil || second["outcome"] != "failed" {
		t.Errorf("the second attempt: %v", second)
	}
}

// TestReport_browser renders the page in a headless chromium, light and dark:
// script or not, it draws the same bars, and nothing of it is an alert. With
// -update the pictures are kept below docs/img.
func TestReport_browser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	if testing.Short() {
		t.Skip("chromium takes seconds to start")
	}
	s := newStory(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "report.html")
	s.agent(0, "report", "--html", "--output", file)
	browse := func(args ...string) []byte {
		t.Helper()
		c := exec.CommandContext(t.Context(), chromium, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
			"--user-data-dir=" + filepath.Join(dir, "profile"), "--window-size=1080,1500"}, append(args, "file://"+file)...)...)
		c.Env = append(os.Environ(), "HOME="+dir)
		var errs bytes.Buffer
		c.Stderr = &errs
		out, err := c.Output()
		if err != nil {
			t.Fatalf("chromium %v: %v\n%s", args, err, errs.String())
		}
		return out
	}
	dom := string(browse("--dump-dom"))
	for want, least := range map[string]int{`<rect class="pass"`: 4, `<rect class="fail"`: 2, `<rect class="job"`: 3, "<details": 6, "<summary>": 6} {
		if n := strings.Count(dom, want); n < least {
			t.Errorf("chromium sees %d of %s, want %d", n, want, least)
		}
	}
	for name, args := range map[string][]string{"report-light.png": nil, "report-dark.png": {"--blink-settings=preferredColorScheme=0", "--force-dark-mode"}} {
		picture := filepath.Join(dir, name)
		browse(append(args, "--screenshot="+picture)...)
		data, err := os.ReadFile(picture)
		if err != nil || len(data) < 20_000 {
			t.Fatalf("%s: %d bytes, %v", name, len(data), err)
		}
		if *update {
			if err := os.WriteFile(filepath.Join(imgDir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(filepath.Join(imgDir, name)); err != nil {
			t.Error(err)
		}
	}
}
