package markdown

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// mode is what the steps of a text are: the first of these that it has.
type mode int

const (
	byBox mode = iota
	byTask
	byNumber
	byBullet
)

// walk goes through the top blocks of a text, once.
type walk struct {
	source  []byte
	doc     ast.Node
	mode    mode
	draft   Draft
	planned bool // the title says that it is a plan

	step  *Step    // the one that blocks belong to
	files []string // of the task around
	intro []string // of the task around, for its first step
	level int      // of the task's heading, 0 outside
	begun bool     // a list of files was announced
	inner bool     // headings that begin with "Step" are parts of tasks
}

func newWalk(source string) *walk {
	prepared := prepare(source)
	w := &walk{source: []byte(prepared), inner: hasTasks(strings.Split(prepared, "\n"))}
	w.doc = newParser().Parse(text.NewReader(w.source))
	w.mode = w.findMode()
	return w
}

func (w *walk) findMode() mode {
	found := map[mode]bool{}
	for n := w.doc.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			found[byTask] = found[byTask] || task().MatchString(w.text(n))
		case *ast.List:
			found[byBox] = found[byBox] || w.boxes(n)
			found[byNumber] = found[byNumber] || n.IsOrdered()
			found[byBullet] = found[byBullet] || !n.IsOrdered()
		}
	}
	for _, m := range []mode{byBox, byTask, byNumber} {
		if found[m] {
			return m
		}
	}
	return byBullet
}

// boxes reports whether an item of the list, or of a list in it, is a box.
func (w *walk) boxes(list *ast.List) bool {
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		if _, box := boxOf(n); box || slices.ContainsFunc(sublists(n), w.boxes) {
			return true
		}
	}
	return false
}

func sublists(item ast.Node) []*ast.List {
	var lists []*ast.List
	for n := item.FirstChild(); n != nil; n = n.NextSibling() {
		if list, ok := n.(*ast.List); ok {
			lists = append(lists, list)
		}
	}
	return lists
}

// boxOf says whether an item begins with a box, and whether it is ticked.
func boxOf(item ast.Node) (ticked, found bool) {
	if block := item.FirstChild(); block != nil {
		if b, ok := block.FirstChild().(*box); ok {
			return b.Checked, true
		}
	}
	return false, false
}

func (w *walk) walk() {
	for n := w.doc.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			w.heading(n)
		case *ast.List:
			w.list(n)
		default:
			w.block(n)
		}
	}
	w.endStep()
}

func (w *walk) heading(n *ast.Heading) {
	title := w.text(n)
	switch m := task().FindStringSubmatch(title); {
	case m != nil && w.inner && stepLine().MatchString(title):
		w.tell(title)
		return
	case m != nil && w.mode == byTask:
		w.begin(m[2], false)
		w.level = n.Level
		return
	case m != nil:
		w.endStep()
		w.files, w.intro, w.level, w.begun = nil, nil, n.Level, false
		w.intro = append(w.intro, title)
		return
	}
	w.entitle(title, n.Level)
	if w.step != nil && (w.level == 0 || n.Level <= w.level) { // another section: what follows is no step's
		w.endStep()
		w.files, w.intro, w.level = nil, nil, 0
	}
	w.begun = isFiles(title)
	if !w.begun && title != w.draft.Title {
		w.tell(title)
	}
}

// entitle takes the first heading for the title, or the first that says plan.
func (w *walk) entitle(title string, level int) {
	plans := strings.Contains(strings.ToLower(title), "plan")
	if w.draft.Title == "" || plans && !w.planned && level <= 2 && len(w.draft.Steps) == 0 {
		w.draft.Title, w.planned = title, plans
	}
}

func (w *walk) list(n *ast.List) {
	if w.isFileList(n) {
		w.fileList(n)
		return
	}
	steps := w.mode == byBox && w.boxes(n) || w.mode == byNumber && n.IsOrdered() || w.mode == byBullet
	if !steps {
		w.block(n)
		return
	}
	for one := n.FirstChild(); one != nil; one = one.NextSibling() {
		w.item(one)
	}
}

// item is a step, or, where only a list in it has boxes, those are.
func (w *walk) item(n ast.Node) {
	ticked, box := boxOf(n)
	if w.mode == byBox && !box {
		for _, list := range sublists(n) {
			if w.boxes(list) {
				w.endStep()
				w.intro = append(w.intro, w.text(n.FirstChild()))
				w.list(list)
				return
			}
		}
		w.beside(n)
		return
	}
	first := n.FirstChild()
	if first == nil {
		return
	}
	whole := w.text(first)
	title := firstSentence(whole)
	w.begin(title, ticked)
	if whole != title || title != oneLine(title) {
		w.tell(whole)
	}
	w.learn(whole)
	for block := first.NextSibling(); block != nil; block = block.NextSibling() {
		w.block(block)
	}
}
