package run

import (
	"github.com/git-agent/git-agent/pkg/lease"
	"github.com/git-agent/git-agent/pkg/object"
)

// copiedLease drops a lease of this repository that the remote had too and has
// no more: git copied it, under a refspec of the person's, and it says no more
// than our mirror did.
func (s *session) copiedLease(moved []object.RefUpdate) []object.RefUpdate {
	here := s.leaseHere
	for _, u := range moved {
		if u.Name == trackLease(s.remote.name, s.run) && u.Old == here && here != "" {
			s.leaseHere = ""
			return []object.RefUpdate{{Name: lease.Ref(s.run), Old: here}}
		}
	}
	return nil
}
