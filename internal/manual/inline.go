package manual

import "strings"

// style is how a run of characters looks.
type style int

const (
	normal style = iota
	typed        // `…`: as it is typed
	stands       // *…*: stands for something else
	strong       // **…**
)

// run is text in one style.
type run struct {
	style style
	text  string
}

var marks = []struct {
	mark  string
	style style
}{{"`", typed}, {"**", strong}, {"*", stands}}

// inline splits a text at its marks. A mark that is not closed, or that stands
// before a blank, is a character like any other.
func inline(text string) []run {
	var runs []run
	plain := ""
	for text != "" {
		r, rest := marked(text)
		if r == nil {
			plain, text = plain+text[:1], text[1:]
			continue
		}
		if plain != "" {
			runs = append(runs, run{normal, plain})
			plain = ""
		}
		runs, text = append(runs, *r), rest
	}
	if plain != "" {
		runs = append(runs, run{normal, plain})
	}
	return runs
}

func marked(text string) (*run, string) {
	for _, m := range marks {
		rest, ok := strings.CutPrefix(text, m.mark)
		if !ok {
			continue
		}
		inner, after, closed := strings.Cut(rest, m.mark)
		if closed && inner != "" && inner[0] != ' ' {
			return &run{m.style, inner}, after
		}
	}
	return nil, text
}
