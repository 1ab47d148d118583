package stash_test

import (
	"os"
	"testing"

	"github.com/git-agent/git-agent/internal/git/gittest"
)

func TestMain(m *testing.M) { os.Exit(gittest.InMemory(m).Run()) }
