package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := readBuild()
			_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(strings.Fields("slotway "+b.version+" "+b.revision+" "+runtime.Version()), " "), runtime.GOOS+"/"+runtime.GOARCH)
			return err
		},
	}
}

// buildInfo says what this program was made from.
type buildInfo struct {
	version  string // of the module; devel where there is none
	revision string // of the source; "" unknown
}

func readBuild() buildInfo {
	b := buildInfo{version: "devel"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.version = v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.revision = s.Value
		}
	}
	return b
}
