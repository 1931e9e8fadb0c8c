package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	return fmt.Sprintf("%s:%d\n   - %s\n   + %s", m.file, m.line, strings.TrimSpace(was), strings.TrimSpace(is))
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
	survived verdict = "SURVIVED"
	unbuilt  verdict = "unbuilt"
)

// judge runs the tests that should object to a mutant, one set after the other.
func judge(ctx context.Context, o *options, dir string, m mutant) (verdict, error) {
	overlay := filepath.Join(dir, "overlay.json")
	if err := m.lay(dir, overlay); err != nil {
		return "", err
	}
	if m.text != "" || m.end > m.begin {
		if exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "./"+m.pkg).Run() != nil {
			return unbuilt, ctx.Err()
		}
	}
	asked := append([][]string{{"./" + m.pkg}}, judges[m.pkg]...)
	if o.talk {
		asked = append(asked, conversations)
	}
	for _, tests := range asked {
		args := append([]string{"test", "-overlay", overlay, "-vet=off", "-count=1", "-failfast", "-timeout", o.limit.String()}, tests...)
		err := exec.CommandContext(ctx, "go", args...).Run()
		var failed *exec.ExitError
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case errors.As(err, &failed):
			return dead, nil
		case err != nil:
			return "", err
		}
	}
	return survived, nil
}

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
