package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

func (r *run) tree() string             { return filepath.Join(r.dir, "tree") }
func (r *run) overlay() string          { return filepath.Join(r.dir, "overlay.json") }
func (r *run) binary(pkg string) string { return filepath.Join(r.dir, filepath.Base(pkg)+".test") }

// build builds the tests with all mutants and returns the mutants that do not build.
func (r *run) build(ctx context.Context, mutants []mutant) (unbuilt map[int]bool, err error) {
	unbuilt = map[int]bool{}
	for {
		more, err := r.compile(ctx, mutants, unbuilt)
		if err != nil {
			return nil, err
		}
		if len(more) == 0 {
			break
		}
		for n := range more {
			unbuilt[n] = true
		}
	}
	built := map[string]bool{}
	for pkg := range packagesOf(mutants) {
		for _, q := range r.questionsTo(pkg) {
			if built[q.pkg] {
				continue
			}
			built[q.pkg] = true
			out, err := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-trimpath", "-overlay", r.overlay(), "-o", r.binary(q.pkg), "./"+q.pkg).CombinedOutput()
			if err != nil {
				return nil, fmt.Errorf("build the tests of %s: %w\n%s", q.pkg, err, out)
			}
		}
	}
	return unbuilt, nil
}

// compile builds all mutants except some and returns those that the compiler rejects.
func (r *run) compile(ctx context.Context, mutants []mutant, but map[int]bool) (map[int]bool, error) {
	where, err := r.lay(mutants, but)
	if err != nil {
		return nil, err
	}
	refused := map[int]bool{}
	for pkg := range packagesOf(mutants) {
		out, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-gcflags=-e", "-overlay", r.overlay(), "./"+pkg).CombinedOutput()
		if err == nil {
			continue
		}
		found := false
		for _, at := range place.FindAllStringSubmatch(string(out), -1) {
			line, _ := strconv.Atoi(at[2])
			for _, l := range where[filepath.Join(pkg, at[1])] {
				if l.from <= line && line <= l.to {
					refused[l.mutant], found = true, true
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("build %s: %w\n%s", pkg, err, out)
		}
	}
	return refused, nil
}

// place matches the position of a compiler error.
var place = regexp.MustCompile(`(?m)([^/\s]+\.go):(\d+):\d+: `)

// lay writes the files with the mutants and the overlay that replaces the originals. It returns the
// lines of the mutants by package and file.
func (r *run) lay(mutants []mutant, but map[int]bool) (map[string][]lines, error) {
	byFile := map[string]map[int]site{}
	source, folder := map[string][]byte{}, map[string]string{}
	for i, m := range mutants {
		if but[i] {
			continue
		}
		if byFile[m.file] == nil {
			byFile[m.file] = map[int]site{}
		}
		byFile[m.file][i], source[m.file], folder[m.file] = m.site, m.source, m.pkg
	}
	where, replace := map[string][]lines{}, map[string]string{}
	put := func(path, text string) error {
		if replace[path] != "" {
			return nil // the package has its chooser already
		}
		to := filepath.Join(r.dir, fmt.Sprintf("laid%d.go", len(replace)))
		replace[path] = to
		return os.WriteFile(to, []byte(text), 0o600)
	}
	for file, sites := range byFile {
		text, of, err := withMutants(file, source[file], sites)
		if err != nil {
			return nil, err
		}
		where[filepath.Join(folder[file], filepath.Base(file))] = of
		if err := put(file, text); err != nil {
			return nil, err
		}
		if err := put(filepath.Join(filepath.Dir(file), "zz_mutant.go"), fmt.Sprintf(chooser, filepath.Base(folder[file]))); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	return where, os.WriteFile(r.overlay(), data, 0o600)
}
