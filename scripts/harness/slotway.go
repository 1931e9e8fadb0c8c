package harness

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Slotway is a process of slotway serve, which can be launched again after its end.
type Slotway struct {
	*Program // of the last launch; nil before the first

	Name   string    // for errors
	Binary string    // see Build
	Dir    string    // data folder and working directory
	Addr   string    // to listen on
	Args   []string  // before the command serve
	Env    []string  // in addition to the environment of this process
	Stderr io.Writer // receives a copy of standard error; may be nil

	Output Tail // standard error of the last launch
}

// Build compiles slotway into a folder and returns the absolute path of the binary.
func Build(ctx context.Context, dir string, tags ...string) (string, error) {
	binary, err := filepath.Abs(filepath.Join(dir, "slotway"))
	if err != nil {
		return "", err
	}
	const module = "github.com/slotway/slotway"
	// A caller in another module of this repository, such as the browser tests, has not all the
	// requirements of the program.
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("find module %s: %w", module, err)
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-C", strings.TrimSpace(string(root)), "-tags", strings.Join(tags, ","), "-o", binary, "./cmd/slotway")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build slotway: %w\n%s", err, out)
	}
	return binary, nil
}

// SetFlags turns settings such as "memory.durability=relaxed" into arguments.
func SetFlags(settings ...string) (args []string) {
	for _, s := range settings {
		args = append(args, "--set", s)
	}
	return args
}

// FreeAddress returns a loopback address with a free port.
func FreeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// NewSlotway makes the data folder and picks an address. Launch or Start starts the process.
func NewSlotway(name, binary, dir string, args ...string) (*Slotway, error) {
	addr, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	return &Slotway{Name: name, Binary: binary, Dir: dir, Addr: addr, Args: args}, os.MkdirAll(dir, 0o700)
}

// Launch starts the process. env holds variables for this launch only.
func (s *Slotway) Launch(env ...string) error {
	args := append([]string{"--data", s.Dir}, s.Args...)
	cmd := exec.Command(s.Binary, append(args, "serve", "--addr", s.Addr)...)
	cmd.Env = append(append(os.Environ(), s.Env...), env...)
	cmd.Dir = s.Dir
	s.Output.Reset()
	cmd.Stderr = &s.Output
	if s.Stderr != nil {
		cmd.Stderr = io.MultiWriter(&s.Output, s.Stderr)
	}
	p, err := Begin(cmd)
	if err != nil {
		return err
	}
	s.Program = p
	return nil
}

// Start launches the process and waits until it is ready.
func (s *Slotway) Start(ctx context.Context, env ...string) error {
	if err := s.Launch(env...); err != nil {
		return err
	}
	return s.AwaitReady(ctx)
}

// AwaitReady waits until the process is ready. If it ends instead, the error holds its output.
func (s *Slotway) AwaitReady(ctx context.Context) error {
	err := Await(ctx, "the "+s.Name+" to become ready", s.Ready, s.Exited())
	if err != nil && !s.Running() {
		return fmt.Errorf("the %s did not start: %s\n%s", s.Name, s.State(), s.Output.String())
	}
	return err
}

// probes times out on a process that hangs.
var probes = &http.Client{Timeout: 30 * time.Second}

// Ready reports whether /readyz answers 200.
func (s *Slotway) Ready() bool {
	res, err := probes.Get("http://" + s.Addr + "/readyz")
	if err != nil {
		return false
	}
	res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// Alive returns an error with the output of the process if it has ended.
func (s *Slotway) Alive() error {
	if s.Running() {
		return nil
	}
	return fmt.Errorf("the %s died by itself: %s\n%s", s.Name, s.State(), s.Output.String())
}
