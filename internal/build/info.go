package build

import "runtime/debug"

// Info describes the build of a program.
type Info struct {
	Version  string // of the main module; devel if unknown
	Revision string // of its source; "": unknown
	Time     string // of the revision, in RFC 3339; "": unknown
}

// ReadInfo returns the build of the running program.
func ReadInfo() Info {
	b := Info{Version: "devel"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		}
	}
	return b
}
