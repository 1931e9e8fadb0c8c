package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// mutant is a package with one change.
type mutant struct {
	site
	pkg    string // a folder of the module
	source []byte // of the unchanged file
}

// describe shows the line before and after the change.
func (m *mutant) describe() string {
	from := strings.LastIndexByte(string(m.source[:m.begin]), '\n') + 1
	rest, _, _ := strings.Cut(string(m.source[m.end:]), "\n")
	was := string(m.source[from:m.end]) + rest
	is := string(m.source[from:m.begin]) + m.text + rest
	return fmt.Sprintf("%s:%d\n   - %s\n   + %s", filepath.Join(m.pkg, filepath.Base(m.file)), m.line, strings.TrimSpace(was), strings.TrimSpace(is))
}

// verdict is the result for a mutant.
type verdict string

const (
	dead     verdict = "killed"
	late     verdict = "too slow"
	survived verdict = "SURVIVED"
)

// judged is a verdict with the first question that killed the mutant.
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

// patience is the factor by which a question may take longer than without a change. A mutant that
// is slow because the machine is busy must not count as killed.
const patience = 8

// judge runs the questions for a mutant of a package, one after the other. The mutant none is the
// unchanged program.
func (r *run) judge(ctx context.Context, pkg string, number int) (judged, error) {
	for _, q := range r.questionsTo(pkg) {
		v, err := r.ask(ctx, q, number)
		if v != survived || err != nil {
			return judged{v, q.name}, err
		}
	}
	return judged{verdict: survived}, nil
}

// none is the number of the unchanged program.
const none = -1

// ask runs one question. For none it also records the time that the question takes.
func (r *run) ask(ctx context.Context, q question, number int) (verdict, error) {
	limit := max(r.limit, patience*r.took[q.name])
	if number == none {
		limit *= patience
	}
	args := slices.Concat([]string{"-test.failfast", "-test.timeout=" + limit.String()}, q.flags)
	cmd := exec.CommandContext(ctx, r.binary(q.pkg), args...)
	cmd.Dir = filepath.Join(r.tree(), q.pkg)
	cmd.Env = append(cmd.Environ(), chosen+"="+strconv.Itoa(number))
	cmd.WaitDelay = 10 * time.Second // for children of a killed test
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if number == none {
		r.took[q.name] = time.Since(began)
	}
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case bytes.Contains(out, []byte("panic: test timed out after")):
		return late, nil
	case errors.As(err, &failed):
		return dead, nil
	case err != nil:
		return "", err
	}
	return survived, nil
}
