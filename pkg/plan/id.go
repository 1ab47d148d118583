package plan

import "github.com/git-agent/git-agent/pkg/trailers"

// validID holds ids to the one alphabet that trailers and refs have for them.
func validID(id string) error { return trailers.ValidID(id) }
