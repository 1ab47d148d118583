package ui

// Style is how a text is painted; the zero value is the terminal's own.
type Style int

// The styles: git's own palette, which every theme keeps readable.
const (
	Default Style = iota
	Bold
	Faint
	Red
	Green
	Yellow
	Cyan
)

// sgr is the parameter of "select graphic rendition" (ECMA-48, 8.3.117).
func (st Style) sgr() string {
	switch st {
	case Bold:
		return "1"
	case Faint:
		return "2"
	case Red:
		return "31"
	case Green:
		return "32"
	case Yellow:
		return "33"
	case Cyan:
		return "36"
	case Default:
	}
	return ""
}

func paint(on bool, st Style, text string) string {
	if !on || st == Default || text == "" {
		return text
	}
	return "\x1b[" + st.sgr() + "m" + text + "\x1b[m"
}

// Paint escapes a text and paints it for Out.
func (s Streams) Paint(st Style, text string) string {
	return paint(s.Color, st, Escape(text))
}

// Glyph is a sign with a fallback for terminals without Unicode.
type Glyph int

// The signs that commands use.
const (
	Check    Glyph = iota // it holds, it is certified
	Cross                 // it does not
	Circle                // not yet
	Dot                   // going on
	Arrow                 // leads to
	Ellipsis              // cut here
	Solid                 // landed
	Half                  // under way
	Hollow                // nobody's
	Kept                  // set aside
	Line                  // the branch, where something stands beside it
	Base                  // where it begins
)

// Glyph returns the sign as Out's locale can show it.
func (s Streams) Glyph(g Glyph) string {
	sign, fallback := g.forms()
	if s.Unicode {
		return sign
	}
	return fallback
}

func (g Glyph) forms() (sign, fallback string) {
	switch g {
	case Check:
		return "✓", "+"
	case Cross:
		return "✗", "x"
	case Circle:
		return "○", "."
	case Dot:
		return "●", "*"
	case Arrow:
		return "→", "->"
	case Solid:
		return "◆", "#"
	case Half:
		return "◐", ">"
	case Hollow:
		return "◇", "o"
	case Kept:
		return "≡", "="
	case Line:
		return "│", "|"
	case Base:
		return "┬", "|"
	case Ellipsis:
	}
	return "…", "..."
}
