package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// mutant is a package with one change; with none, the package as it is.
type mutant struct {
	site
	pkg    string // a folder of the module
	source []byte // of the file, as it is
}

// changed is the file with the change.
func (m *mutant) changed() []byte {
	return []byte(string(m.source[:m.begin]) + m.text + string(m.source[m.end:]))
}

// describe shows the line as it is and as it would be.
func (m *mutant) describe() string {
	from := strings.LastIndexByte(string(m.source[:m.begin]), '\n') + 1
	rest, _, _ := strings.Cut(string(m.source[m.end:]), "\n")
	was := string(m.source[from:m.end]) + rest
	is := string(m.source[from:m.begin]) + m.text + rest
	return fmt.Sprintf("%s:%d\n   - %s\n   + %s", filepath.Join(m.pkg, filepath.Base(m.file)), m.line, strings.TrimSpace(was), strings.TrimSpace(is))
}

// sitesIn are all changes that can be made to packages.
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

// at are the sites at some places; at no place, all.
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

// verdict is what became of a mutant.
type verdict string

const (
	dead     verdict = "killed"
	late     verdict = "too slow"
	survived verdict = "SURVIVED"
	unbuilt  verdict = "unbuilt"
)

// judged is a verdict and the first question that a mutant did not pass.
type judged struct {
	verdict
	by string // its name
}

func (j judged) String() string {
	if j.by == "" {
		return string(j.verdict)
	}
	return string(j.verdict) + " by the " + j.by
}

// judge asks the tests that should object to a mutant, one set after the other.
func (r *run) judge(ctx context.Context, m mutant) (judged, error) {
	if err := m.lay(r.dir, r.overlay()); err != nil {
		return judged{}, err
	}
	if m.file != "" {
		if exec.CommandContext(ctx, "go", "build", "-trimpath", "-overlay", r.overlay(), "./"+m.pkg).Run() != nil {
			return judged{verdict: unbuilt}, ctx.Err()
		}
	}
	questions := questionsTo(m.pkg)
	if r.quick {
		questions = questions[:1]
	}
	for _, q := range questions {
		v, err := r.ask(ctx, q, m.file == "")
		if v != survived || err != nil {
			return judged{v, q.name}, err
		}
	}
	return judged{verdict: survived}, nil
}

// ask runs one question. The first time, without a change, it takes the time that it needs
// on this machine.
func (r *run) ask(ctx context.Context, q question, first bool) (verdict, error) {
	limit := max(r.limit, patience*r.took[q.name])
	if first {
		limit *= patience
	}
	timed, cancel := context.WithTimeout(ctx, 2*limit) // of the building too
	defer cancel()
	began := time.Now()
	out, err := r.command(timed, q, limit).CombinedOutput()
	if first {
		r.took[q.name] = time.Since(began)
	}
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case timed.Err() != nil, bytes.Contains(out, []byte("panic: test timed out after")):
		return late, nil
	case errors.As(err, &failed):
		return dead, nil
	case err != nil:
		return "", err
	}
	return survived, nil
}

// command runs a question; the tests end themselves at the limit. Without the paths of the copy
// in them, what was built for one run serves the next.
func (r *run) command(ctx context.Context, q question, limit time.Duration) *exec.Cmd {
	args := []string{"test", "-trimpath", "-overlay", r.overlay(), "-vet=off", "-count=1", "-failfast", "-timeout", limit.String()}
	cmd := exec.CommandContext(ctx, "go", append(args, q.args...)...)
	cmd.WaitDelay = 10 * time.Second // for what a killed command leaves running
	return cmd
}

func (r *run) overlay() string { return filepath.Join(r.dir, "overlay.json") }

// lay writes the changed file, and the overlay that puts it in the place of the other.
func (m *mutant) lay(dir, overlay string) error {
	replace := map[string]string{}
	if m.file != "" {
		changed := filepath.Join(dir, "mutant.go")
		if err := os.WriteFile(changed, m.changed(), 0o600); err != nil {
			return err
		}
		replace[m.file] = changed
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(overlay, data, 0o600)
}
