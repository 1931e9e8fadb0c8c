package authoring

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/programtest"
)

// reader is somebody who follows the tutorial in an empty folder: the shell's state between two
// commands.
type reader struct {
	t    *testing.T
	page string
	dir  string // where the shell stands
	env  []string
	addr string // in place of shownAddr
}

// shownAddr is the default address of the service, which may be in use where the test runs.
const shownAddr = "127.0.0.1:8080"

// TestTutorial follows the tutorial word for word: it writes its files, makes its changes, runs its
// commands, and compares what they print.
func TestTutorial(t *testing.T) {
	programtest.TakesLong(t)
	r := newReader(t, filepath.Join("..", "..", "..", "docs", "tutorial.md"), t.TempDir())
	follow := map[string]func(block){
		"console": r.console,
		"diff":    r.diff,
		"yaml":    func(b block) { writeFile(t, filepath.Join(r.dir, b.title), b.text) },
		"":        func(block) {}, // installs the program, which the test has built
	}
	commands := 0
	for _, b := range blocks(t, r.page) {
		do := follow[b.kind]
		if do == nil {
			t.Fatalf("%s:%d: a block of kind %q is not followed", r.page, b.line, b.kind)
		}
		do(b)
		commands += strings.Count("\n"+b.text, "\n$ ")
	}
	if commands < 10 {
		t.Errorf("%d commands: the test does not follow the page", commands)
	}
}

// newReader returns a reader of a page who stands in a folder and finds the built program on the path.
func newReader(t *testing.T, page, dir string) *reader {
	t.Helper()
	binary := programtest.Binary(t)
	for _, program := range []string{"sh", "sed", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			programtest.Missing(t, program+" is not installed")
		}
	}
	r := &reader{t: t, page: page, dir: dir, addr: freeAddr(t)}
	path := filepath.Dir(binary) + string(filepath.ListSeparator) + os.Getenv("PATH")
	r.env = append(os.Environ(), "HOME="+t.TempDir(), "PATH="+path, "SLOTWAY_SERVER_ADDR="+r.addr)
	return r
}

// freeAddr returns an address of this machine that nobody listens at.
func freeAddr(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// diff changes the file that a block names.
func (r *reader) diff(b block) {
	r.t.Helper()
	path := filepath.Join(r.dir, b.title)
	text, err := os.ReadFile(path)
	if err != nil {
		r.t.Fatal(err)
	}
	changed, err := applyDiff(string(text), b.text)
	if err != nil {
		r.t.Fatalf("%s:%d: %s: %v", r.page, b.line, b.title, err)
	}
	writeFile(r.t, path, changed)
}

// console runs the commands of a block: lines with "$ " are commands, lines with "> " are typed
// into them, all others are printed by them.
func (r *reader) console(b block) {
	r.t.Helper()
	for _, part := range strings.Split("\n"+b.text, "\n$ ")[1:] {
		command, rest, _ := strings.Cut(part, "\n")
		var typed, shown strings.Builder
		for line := range strings.Lines(rest) {
			if said, ok := strings.CutPrefix(line, "> "); ok {
				typed.WriteString(said)
			} else {
				shown.WriteString(strings.TrimSuffix(line, "\n") + "\n")
			}
		}
		if folder, ok := strings.CutPrefix(command, "cd "); ok {
			r.dir = filepath.Join(r.dir, folder)
			continue
		}
		command = strings.ReplaceAll(command, shownAddr, r.addr)
		if background, ok := strings.CutSuffix(command, " &"); ok {
			r.start(background)
			continue
		}
		output := strings.ReplaceAll(r.run(command, typed.String()), r.addr, shownAddr)
		if output != "" && !strings.HasSuffix(output, "\n") {
			output += "\n"
		}
		if !likeOutput(shown.String(), output) {
			r.t.Fatalf("%s:%d: $ %s\nprints\n%s\nbut the page shows\n%s", r.page, b.line, command, output, shown.String())
		}
	}
}

// run runs a command and returns what it prints, without the lines of telemetry and progress.
func (r *reader) run(command, typed string) string {
	r.t.Helper()
	cmd := r.shell(command)
	cmd.Stdin = strings.NewReader(typed)
	output, err := cmd.Output()
	var failed *exec.ExitError
	if err != nil && (!errors.As(err, &failed) || failed.ExitCode() != 1) { // 1: the check failed, as shown
		r.t.Fatalf("$ %s: %v\n%s", command, err, output)
	}
	return string(output)
}

func (r *reader) shell(command string) *exec.Cmd {
	cmd := exec.CommandContext(r.t.Context(), "sh", "-c", "exec "+command)
	cmd.Dir, cmd.Env = r.dir, r.env
	return cmd
}

// start runs the service until the end of the test, and waits until it answers.
func (r *reader) start(command string) {
	r.t.Helper()
	cmd := r.shell(command)
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	r.t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		<-ended
	})
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	for {
		if answers(ctx, "http://"+r.addr+"/readyz") {
			return
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case err := <-ended:
			ended <- err
			r.t.Fatalf("$ %s: it ended: %v", command, err)
		case <-ctx.Done():
			r.t.Fatalf("$ %s: it does not answer", command)
		}
	}
}

// answers reports whether a request is answered with success.
func answers(ctx context.Context, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}
