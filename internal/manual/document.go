package manual

// Page is one page of the manual. Texts are in the inline markup of the prose:
// `as typed`, *stands for something*, **strong**.
type Page struct {
	Name    string // as man(1) is asked for it: git-agent-step
	Section int    // of the manual: 1 commands, 5 formats
	Summary string // the line behind the name, lower case, no full stop
	Parts   []Part
}

// Part is a section with its title, in capitals.
type Part struct {
	Title  string
	Blocks []Block
}

// Kind is what a block is.
type Kind int

// The kinds of blocks.
const (
	Paragraph  Kind = iota
	Definition      // Term, and Blocks that explain it
	Code            // Text as it is, line by line
	Usage           // a synopsis: Term is the command, Text its arguments
	Heading         // a heading inside a part
)

// Block is a paragraph, a definition, an example.
type Block struct {
	Kind   Kind
	Term   string
	Text   string
	Blocks []Block
}
