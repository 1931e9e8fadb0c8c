// Package programtest builds the program once and runs it as a process, for tests of it from
// outside. See runtimetest for tests of a runtime in the process of the test.
//
//   - [Binary] builds the program. [Start] runs `slotway serve`.
//   - [TakesLong] and [Missing] leave tests out where they are not asked for or cannot run.
package programtest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/slotway/slotway/internal/test/telemetrytest"
	"github.com/slotway/slotway/scripts/harness"
)

// binaryFolder is where the program is built; Main removes it.
var binaryFolder string

// built builds the program once for all tests of a package: linking it takes seconds.
var built = sync.OnceValues(func() (string, error) {
	var err error
	if binaryFolder, err = os.MkdirTemp("", "slotway-test-"); err != nil {
		return "", err
	}
	return harness.Build(context.Background(), binaryFolder)
})

// Main runs the tests of a package that uses [Binary] or [Start], and removes the program.
func Main(m *testing.M) {
	code := m.Run()
	if binaryFolder != "" {
		os.RemoveAll(binaryFolder)
	}
	os.Exit(code)
}

// Binary builds the program and returns its path. The program is built as it is shipped, so the
// race detector, which would not see into it, leaves the test out.
func Binary(t testing.TB) string {
	t.Helper()
	if Race {
		t.Skip("tries another process, which the race detector does not see")
	}
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// Process is `slotway serve` as a process of its own.
type Process struct {
	*harness.Slotway
	harness.Client

	URL string
	log string // file of telemetry
}

// Start builds the program and runs `slotway ARGS serve`. It waits until the process is ready. The
// process ends with the test, if it has not ended before.
func Start(t testing.TB, data string, args ...string) *Process {
	t.Helper()
	log := filepath.Join(t.TempDir(), "telemetry.jsonl")
	args = append(harness.SetFlags("telemetry.log="+log, "server.limits.rate=0"), args...)
	s, err := harness.NewSlotway("service", Binary(t), data, args...)
	if err != nil {
		t.Fatal(err)
	}
	s.Env = []string{"HOME=" + data}
	p := &Process{Slotway: s, Client: harness.Client{Addr: s.Addr, HTTP: http.DefaultClient}, URL: "http://" + s.Addr, log: log}
	p.Restart(t)
	t.Cleanup(func() { s.Kill() })
	return p
}

// Restart starts the process again after its end.
func (p *Process) Restart(t testing.TB) {
	t.Helper()
	if err := p.Slotway.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Stop asks the process to end. It fails the test if the process ends in any other way than it
// should, or if a line of its telemetry does not fit the published schema.
func (p *Process) Stop(t testing.TB) {
	t.Helper()
	if !p.End(syscall.SIGTERM, harness.Patience) || p.State().ExitCode() != 0 {
		t.Errorf("the service ended with %s:\n%s", p.State(), p.Output.String())
	}
	told, err := os.ReadFile(p.log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	telemetrytest.Lines(t, told)
}

// Chat posts a JSON body to /chat, which must be answered with status 200.
func (p *Process) Chat(t testing.TB, body string) (reply map[string]any) {
	t.Helper()
	text, err := p.Ask(t.Context(), http.MethodPost, "/chat", []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &reply); err != nil {
		t.Fatal(err)
	}
	return reply
}

// Run builds the program and runs a command of it. It returns what the command wrote to both
// streams, and its exit code.
func Run(t testing.TB, stdin string, args ...string) (out string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), Binary(t), args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	text, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}
