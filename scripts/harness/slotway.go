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

// Slotway is one slotway that serves, over all its lives.
type Slotway struct {
	*Program // the life that runs, or the last one; nil before the first

	Name   string    // in errors
	Binary string    // see Build
	Dir    string    // data folder, and working folder of the process
	Addr   string    // where it listens
	Args   []string  // before the command serve
	Env    []string  // besides that of this process
	Stderr io.Writer // also gets what the process says; nil: nothing else does

	Said Tail // what this life has written to standard error
}

// Build compiles slotway into a folder, with build tags, and returns the path of the binary.
func Build(ctx context.Context, dir string, tags ...string) (string, error) {
	binary, err := filepath.Abs(filepath.Join(dir, "slotway"))
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-tags", strings.Join(tags, ","), "-o", binary, "github.com/slotway/slotway/cmd/slotway")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build slotway: %w\n%s", err, out)
	}
	return binary, nil
}

// Set makes arguments of settings such as "memory.durability=relaxed".
func Set(settings ...string) (args []string) {
	for _, s := range settings {
		args = append(args, "--set", s)
	}
	return args
}

// FreeAddress returns an address of this host where nobody listens.
func FreeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// NewSlotway makes the data folder and chooses an address. It starts nothing.
func NewSlotway(name, binary, dir string, args ...string) (*Slotway, error) {
	addr, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	return &Slotway{Name: name, Binary: binary, Dir: dir, Addr: addr, Args: args}, os.MkdirAll(dir, 0o700)
}

// Launch starts a process. env holds variables of this life alone.
func (s *Slotway) Launch(env ...string) error {
	args := append([]string{"--data", s.Dir}, s.Args...)
	cmd := exec.Command(s.Binary, append(args, "serve", "--addr", s.Addr)...)
	cmd.Env = append(append(os.Environ(), s.Env...), env...)
	cmd.Dir = s.Dir
	s.Said.Reset()
	cmd.Stderr = &s.Said
	if s.Stderr != nil {
		cmd.Stderr = io.MultiWriter(&s.Said, s.Stderr)
	}
	p, err := Begin(cmd)
	if err != nil {
		return err
	}
	s.Program = p
	return nil
}

// Start launches a process and waits until it is ready.
func (s *Slotway) Start(ctx context.Context, env ...string) error {
	if err := s.Launch(env...); err != nil {
		return err
	}
	return s.AwaitReady(ctx)
}

// AwaitReady waits until the process is ready. If it ends instead, the error has what it said.
func (s *Slotway) AwaitReady(ctx context.Context) error {
	err := Await(ctx, "the "+s.Name+" to become ready", s.Ready, s.Exited())
	if err != nil && !s.Running() {
		return fmt.Errorf("the %s did not start: %s\n%s", s.Name, s.State(), s.Said.String())
	}
	return err
}

// probes gives a process up that hangs.
var probes = &http.Client{Timeout: 30 * time.Second}

// Ready reports whether the process says that it is ready.
func (s *Slotway) Ready() bool {
	res, err := probes.Get("http://" + s.Addr + "/readyz")
	if err != nil {
		return false
	}
	res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// Alive returns an error if the process, which nobody has ended, has done so by itself.
func (s *Slotway) Alive() error {
	if s.Running() {
		return nil
	}
	return fmt.Errorf("the %s died by itself: %s\n%s", s.Name, s.State(), s.Said.String())
}
