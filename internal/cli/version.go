package cli

import "runtime/debug"

// release is set by the linker when a release is built.
var release = ""

// version is the release, else the commit that the binary was built from.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "at " + s.Value[:min(len(s.Value), 10)]
		}
	}
	return "(devel)"
}
