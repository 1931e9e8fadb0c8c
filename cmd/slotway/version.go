package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/slotway/slotway/internal/build"
	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Example: "  slotway version",
		Short:   "Print the version of the build",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := build.ReadInfo()
			_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(strings.Fields("slotway "+b.Version+" "+b.Revision+" "+runtime.Version()), " "), runtime.GOOS+"/"+runtime.GOARCH)
			return err
		},
	}
}
