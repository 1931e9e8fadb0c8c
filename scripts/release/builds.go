package main

import (
	"bytes"
	"cmp"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"
)

// buildFile is a binary with the build information of the go command.
type buildFile struct {
	data []byte
	info *buildinfo.BuildInfo
}

func readBuild(name string) (*buildFile, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &buildFile{data, info}, nil
}

// check compares a binary with the release.
func (b *buildFile) check(r *release, platform string) error {
	got := map[string]string{"version": b.info.Main.Version}
	for _, s := range b.info.Settings {
		got[s.Key] = s.Value
	}
	system, machine, _ := strings.Cut(platform, "_")
	want := map[string]string{
		"version": r.version, "vcs.revision": r.commit, "vcs.modified": "false", "vcs.time": r.time.Format("2006-01-02T15:04:05Z"),
		"GOOS": system, "GOARCH": machine, "CGO_ENABLED": "0", "-trimpath": "true",
	}
	var wrong []error
	for key, value := range want {
		if got[key] != value {
			wrong = append(wrong, fmt.Errorf("%s is %q, not %q", key, got[key], value))
		}
	}
	slices.SortFunc(wrong, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errors.Join(wrong...)
}

// part is a module that is linked into a binary.
type part struct {
	path, version, sum string
	dir                string // its source; "": the module cache does not have it
	standard           bool   // the standard library
}

// parts lists the modules of a binary, including the standard library. The go command records only the
// modules of linked packages.
func (b *buildFile) parts() ([]part, error) {
	cache, err := goEnv("GOMODCACHE")
	if err != nil {
		return nil, err
	}
	root, err := goEnv("GOROOT")
	if err != nil {
		return nil, err
	}
	version, _, _ := strings.Cut(b.info.GoVersion, " ")
	parts := []part{{path: "std", version: strings.TrimPrefix(version, "go"), dir: root, standard: true}}
	for _, m := range b.info.Deps {
		if m.Replace != nil {
			return nil, fmt.Errorf("%s is replaced by %s: remove the replace directive from go.mod, because a release uses the required modules", m.Path, m.Replace.Path)
		}
		dir, err := moduleDir(cache, m.Path, m.Version)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{path: m.Path, version: m.Version, sum: m.Sum, dir: dir})
	}
	return parts, nil
}

// moduleDir returns the folder of a module in the module cache; "" if it is not there.
func moduleDir(cache, path, version string) (string, error) {
	p, err := module.EscapePath(path)
	if err != nil {
		return "", err
	}
	v, err := module.EscapeVersion(version)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, filepath.FromSlash(p)+"@"+v)
	if _, err := os.Stat(dir); err != nil {
		return "", nil
	}
	return dir, nil
}

func goEnv(name string) (string, error) {
	out, err := exec.CommandContext(context.Background(), "go", "env", name).Output()
	return strings.TrimSpace(string(out)), err
}

// datum is a file of weights or vocabulary that the program embeds.
type datum struct {
	name string // in the repository
	data []byte
}

// embeddedData reads the embedded files that end in .bin: they were made elsewhere, all others are source.
func embeddedData(source string) ([]datum, error) {
	list := exec.CommandContext(context.Background(), "go", "list", "-deps", "-f", `{{if not .Standard}}{{$d := .Dir}}{{range .EmbedFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}`, "./cmd/slotway")
	list.Dir, list.Stderr = source, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the embedded files: %w", err)
	}
	var all []datum
	for line := range strings.Lines(string(out)) {
		file := strings.TrimSpace(line)
		if filepath.Ext(file) != ".bin" {
			continue
		}
		name, err := filepath.Rel(source, file)
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		all = append(all, datum{filepath.ToSlash(name), data})
	}
	slices.SortFunc(all, func(a, b datum) int { return strings.Compare(a.name, b.name) })
	return all, nil
}
