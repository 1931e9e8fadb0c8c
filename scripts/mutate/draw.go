package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// sitesIn lists all possible changes to packages.
func sitesIn(ctx context.Context, packages []string) ([]mutant, error) {
	var out []mutant
	for _, pkg := range packages {
		list := exec.CommandContext(ctx, "go", "list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, "./"+pkg)
		list.Stderr = os.Stderr
		files, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("list the files of %s: %w", pkg, err)
		}
		for file := range strings.FieldsSeq(string(files)) {
			source, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			sites, err := sitesOf(file, source)
			if err != nil {
				return nil, err
			}
			for _, s := range sites {
				out = append(out, mutant{s, pkg, source})
			}
		}
	}
	return out, nil
}

// at selects the sites at some places, or all if there are no places.
func at(sites []mutant, places string) []mutant {
	if places == "" {
		return sites
	}
	return slices.DeleteFunc(sites, func(m mutant) bool {
		return !slices.ContainsFunc(strings.Split(places, ","), func(place string) bool {
			file, line, lined := strings.Cut(place, ":")
			return strings.HasSuffix(m.file, "/"+file) && (!lined || line == strconv.Itoa(m.line))
		})
	})
}

func packagesOf(sites []mutant) map[string]bool {
	out := map[string]bool{}
	for _, m := range sites {
		out[m.pkg] = true
	}
	return out
}
