package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/router/httpapi"
)

// `slotway dev` runs the tests of the agent, and again after each save; it shows them at
// GET /v1/agent, and errors of the agent, too.
func TestDev(t *testing.T) {
	tests := deskFolder(t)
	writeTestFile(t, tests, deskScripted)
	writeTestFile(t, "tests/other.yaml", "conversation: of another agent\nagent: elsewhere.yaml\nturns: [{user: hi}]\n")
	ctx, cancel := context.WithCancel(t.Context())
	outRead, out := io.Pipe()
	errRead, errs := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"--agent", "agent.yaml", "--data", t.TempDir(), "dev", "--addr", "127.0.0.1:0"}, strings.NewReader(""), out, errs)
		out.Close()
		errs.Close()
	}()
	t.Cleanup(func() {
		cancel()
		if ended := <-code; ended != exitOK {
			t.Errorf("dev ended with %d", ended)
		}
	})
	stdout, stderr := linesOf(outRead), linesOf(errRead)
	url := strings.TrimPrefix(await(t, stderr, "listening on "), "listening on ")
	await(t, stdout, "1 passed, 0 failed")
	if got := reloadOf(t, url); got.Error != "" || got.Tests == nil || got.Tests.Passed != 1 || len(got.Tests.Failures) != 0 {
		t.Errorf("after the start: %+v", got)
	}
	writeTestFile(t, tests, strings.Replace(deskScripted, "contains: is closed", "contains: is open", 1))
	await(t, stdout, "0 passed, 1 failed")
	if got := reloadOf(t, url).Tests; got.Failed != 1 || len(got.Failures) != 1 || got.Failures[0].Turn != 3 || !strings.Contains(got.Failures[0].Diff, "is open") {
		t.Errorf("after a save of the test: %+v", got)
	}
	writeTestFile(t, "agent.yaml", strings.Replace(deskAgent, "is closed since", "is open since", 1))
	await(t, stderr, "is reloaded")
	await(t, stdout, "1 passed, 0 failed")
	// What dev shows of a version, here and in the studio, is what check says.
	await(t, stderr, "agent.yaml: 0 errors")
	writeTestFile(t, "agent.yaml", strings.Replace(deskAgent, "is closed since", "is open since", 1)+"  unsaid: Nobody says it.\n")
	await(t, stderr, "nothing uses this response")
	await(t, stderr, "agent.yaml: 0 errors")
	said, _ := runCommand(t, "check", "--json")
	var checked checkResult
	if err := json.Unmarshal([]byte(said), &checked); err != nil || len(checked.Problems) == 0 {
		t.Fatalf("check: %v\n%s", err, said)
	}
	if diff := cmp.Diff(httpapi.NewReload(time.Time{}, nil, checked.Problems).Problems, reloadOf(t, url).Problems); diff != "" {
		t.Errorf("what dev shows (-check +dev):\n%s", diff)
	}
	writeTestFile(t, "agent.yaml", strings.Replace(deskAgent, "respond: hours", "respond: ours", 1))
	await(t, stderr, `unknown response "ours"`)
	if got := reloadOf(t, url); got.Error == "" || len(got.Problems) != 1 || got.Problems[0].Line == 0 || got.Tests.Passed != 1 {
		t.Errorf("after an error: %+v", got)
	}
}

func TestDevRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	if out, code := runCommand(t, "dev"); code != exitUsage || !strings.Contains(out, "--agent FILE") {
		t.Errorf("without a file: exit %d\n%s", code, out)
	}
	deskFolder(t)
	if out, code := runCommand(t, "dev", "--addr", "0.0.0.0:0"); code != exitUsage || !strings.Contains(out, "this machine only") {
		t.Errorf("for everyone: exit %d\n%s", code, out)
	}
}

// linesOf reads lines until the end.
func linesOf(r io.Reader) <-chan string {
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(r); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

// await returns the next line that holds a text.
func await(t *testing.T, lines <-chan string, text string) string {
	t.Helper()
	for line := range lines {
		if strings.Contains(line, text) {
			return line
		}
	}
	t.Fatalf("no line says %q", text)
	return ""
}

func reloadOf(t *testing.T, url string) httpapi.Reload {
	t.Helper()
	res, err := http.Get(url + "/v1/agent")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var agent struct{ Reload httpapi.Reload }
	if err := json.NewDecoder(res.Body).Decode(&agent); err != nil {
		t.Fatal(err)
	}
	return agent.Reload
}
