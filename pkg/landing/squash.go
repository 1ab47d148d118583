package landing

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-agent/git-agent/pkg/ledger"
	"github.com/git-agent/git-agent/pkg/trailers"
)

// SquashMessage is the message of one commit that stands for a run's
// certificates: title, one line a step, and one block of trailer groups that
// keeps every step's evidence. The newest valid certificate of each step
// counts, in the order of the history.
func SquashMessage(title string, records []*ledger.Record) (string, error) {
	newest := newestOf(records)
	if len(newest) == 0 {
		return "", errors.New("there is no certificate to squash")
	}
	var groups []trailers.Evidence
	var lines []string
	for _, r := range newest {
		groups = append(groups, r.Evidence)
		lines = append(lines, "* "+trailers.Parse(r.Commit.Message).Subject)
	}
	block, err := trailers.SquashTrailers(groups)
	if err != nil {
		return "", fmt.Errorf("squash: %w", err)
	}
	m := trailers.Message{Subject: oneLine(title), Body: trailers.Escape(strings.Join(lines, "\n")), Trailers: block}
	text, err := trailers.Format(m)
	if err != nil {
		return "", fmt.Errorf("squash: %w", err)
	}
	return text, nil
}

// oneLine makes a subject of somebody else's text.
func oneLine(text string) string {
	return strings.Join(strings.Fields(trailers.Escape(text)), " ")
}

func newestOf(records []*ledger.Record) []*ledger.Record {
	var newest []*ledger.Record
	for _, r := range records {
		if !r.Valid() {
			continue
		}
		newest = slices.DeleteFunc(newest, func(o *ledger.Record) bool { return o.Evidence.Step == r.Evidence.Step })
		newest = append(newest, r)
	}
	return newest
}
