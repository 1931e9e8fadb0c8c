package build

import "runtime/debug"

// Info says what a program was made from.
type Info struct {
	Version  string // of the main module; devel where there is none
	Revision string // of its source; "": unknown
}

// ReadInfo reads what the running program was made from.
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
		if s.Key == "vcs.revision" {
			b.Revision = s.Value
		}
	}
	return b
}
