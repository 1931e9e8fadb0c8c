package main

import (
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

//go:embed agent.yaml
var agent []byte

// service is one slotway process and the people who talk to it.
type service struct {
	out                         *ledger
	binary, dir, outside        string
	set                         []string
	people                      int
	turns                       int64
	seed                        uint64
	took, planted, own, refused *atomic.Int64

	base string
}

// errEarly: the process was not told to stop.
var errEarly = errors.New("it was not told to")

// modelSettings have the service ask model servers whatever it may ask them.
func modelSettings(url string) []string {
	return []string{
		"models.chat.base_url=" + url + "/v1", "models.chat.model=small",
		"models.embed.provider=openai", "models.embed.model=small", "models.embed.base_url=" + url + "/v1",
		"memory.summary.enabled=true", "memory.summary.trigger_message_count=6", "memory.summary.recent_message_count=2",
		"memory.summary.llm_model=small", "memory.rag.enabled=true",
	}
}

// run starts the process, lets people talk, stops it, and searches its files.
func (s *service) run(ctx context.Context) (files int, err error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return 0, err
	}
	file := filepath.Join(s.dir, "..", "agent.yaml")
	if err := os.WriteFile(file, agent, 0o600); err != nil {
		return 0, err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	addr := free.Addr().String()
	free.Close()
	s.base = "http://" + addr
	cmd := s.command(file, addr)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	scanned := make(chan error, 1)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		err := s.out.stream("stderr", stderr)
		cancel(fmt.Errorf("slotway has ended: %w; it said: %s", errEarly, s.out.last()))
		scanned <- err
	}()
	err = s.talk(ctx)
	if err == nil {
		err = s.look(ctx)
	}
	stopped := cmd.Process.Signal(syscall.SIGTERM)
	read := <-scanned // until the process has closed it
	if err = errors.Join(err, stopped, read, cmd.Wait()); err != nil {
		return 0, fmt.Errorf("talk to slotway: %w", err)
	}
	return s.out.folder(atRest, s.dir)
}

// command is the process, with planted secrets in its environment.
func (s *service) command(file, addr string) *exec.Cmd {
	args := []string{"--agent", file, "--data", s.dir, "serve", "--addr", addr}
	for _, kv := range append([]string{
		"telemetry.log=stderr", "telemetry.level=debug", "telemetry.otlp_endpoint=" + s.outside + "/v1/traces", "memory.durability=relaxed",
		"memory.encryption_key_env=CANARY_KEY", "server.limits.rate=0",
	}, s.set...) {
		args = append(args, "--set", kv)
	}
	cmd := exec.Command(s.binary, args...)
	cmd.Env = append(os.Environ(),
		"CANARY_KEY="+base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef")),
		"CANARY_URL="+s.outside, "CANARY_SECRET="+secret, "CANARY_NUMBER="+number, "OPENAI_API_KEY="+secret,
	)
	return cmd
}

// talk lets people talk until all turns are taken.
func (s *service) talk(ctx context.Context) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: s.people}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	if err := ready(ctx, client, s.base+"/readyz"); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	until := s.took.Load() + s.turns
	var all sync.WaitGroup
	for i := range s.people {
		p := &person{
			out: s.out, client: client, base: s.base, rng: rand.New(rand.NewPCG(s.seed, uint64(i))),
			turns: s.took, planted: s.planted, own: s.own, refused: s.refused,
		}
		all.Go(func() {
			for n := 0; s.took.Load() < until; n++ {
				const often = 64 // a program is started for it
				if err := p.conversation(ctx, n%often == 0); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// ready waits until a process answers.
func ready(ctx context.Context, client *http.Client, url string) error {
	const startTime = 60 * time.Second
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		res, err := client.Do(req)
		if err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("slotway did not start: %w", errors.Join(err, context.Cause(ctx)))
		case <-tick.C:
		}
	}
}

// look reads what an operator reads: metrics and listings, which show masks.
func (s *service) look(ctx context.Context) error {
	for _, path := range []string{
		"/metrics", "/v1/agent", "/v1/sessions?limit=5", "/openapi.json", "/studio", "/v1/models",
	} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+path, nil)
		if err != nil {
			return err
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		data, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			return err
		}
		if path == "/v1/sessions?limit=5" {
			continue // its ids are the clients' own words
		}
		s.out.search(path, data)
	}
	return nil
}
