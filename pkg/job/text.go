package job

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Text is a string of the system's: a path or an argument, any bytes but NUL.
// JSON knows only UTF-8, and encoding/json makes one and the same character of
// every other byte: what is read back would name another file. Such a string is
// kept as a NUL and one character for each byte; every other one as it is.
type Text string

const bytewise = "\x00"

// MarshalText never fails.
func (t Text) MarshalText() ([]byte, error) {
	if utf8.ValidString(string(t)) && !strings.HasPrefix(string(t), bytewise) {
		return []byte(t), nil
	}
	kept := []byte(bytewise)
	for i := range len(t) {
		kept = utf8.AppendRune(kept, rune(t[i]))
	}
	return kept, nil
}

// UnmarshalText never fails: what an earlier version kept is taken as it is.
func (t *Text) UnmarshalText(kept []byte) error {
	chars, marked := strings.CutPrefix(string(kept), bytewise)
	if !marked {
		*t = Text(kept)
		return nil
	}
	var b []byte
	for _, c := range chars {
		b = append(b, byte(c))
	}
	*t = Text(b)
	return nil
}

// Texts are strings that are kept as [Text].
type Texts []string

// MarshalJSON keeps each as Text.
func (t Texts) MarshalJSON() ([]byte, error) {
	kept := make([]Text, len(t))
	for i, s := range t {
		kept[i] = Text(s)
	}
	return json.Marshal(kept)
}

// UnmarshalJSON reads what MarshalJSON, or an earlier version, wrote.
func (t *Texts) UnmarshalJSON(data []byte) error {
	var kept []Text
	err := json.Unmarshal(data, &kept)
	*t = make(Texts, len(kept))
	for i, s := range kept {
		(*t)[i] = string(s)
	}
	return err
}
