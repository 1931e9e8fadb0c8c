package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/slotway/slotway/scripts/harness"
)

// service is one slotway process and its clients.
type service struct {
	out                  *ledger
	binary, dir, outside string
	set                  []string
	people               int
	turns                int64 // to take
	seed                 uint64
	counts               *counts
}

// errEarly reports that the process ended before it was asked to.
var errEarly = errors.New("it was not told to")

// modelSettings makes the service call model servers for everything it can.
func modelSettings(url string) []string {
	return []string{
		"models.chat.base_url=" + url + "/v1", "models.chat.model=small",
		"models.embed.provider=openai", "models.embed.model=small", "models.embed.base_url=" + url + "/v1",
		"memory.summary.enabled=true", "memory.summary.trigger_message_count=6", "memory.summary.recent_message_count=2",
		"memory.summary.llm_model=small", "memory.rag.enabled=true",
	}
}

// run starts the process, lets the clients talk, stops it and searches its files.
func (s *service) run(ctx context.Context) (files int, err error) {
	p, err := s.process()
	if err != nil {
		return 0, err
	}
	stderr, said := io.Pipe()
	p.Stderr = said
	if err := p.Launch(); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	scanned := make(chan error, 1)
	go func() { scanned <- s.out.stream("stderr", stderr) }()
	go func() {
		<-p.Exited()
		_ = said.Close() // never fails
		last := p.Output.String()
		cancel(fmt.Errorf("slotway has ended: %w; it said: %s", errEarly, last[max(0, len(last)-1000):]))
	}()
	err = p.AwaitReady(ctx)
	if err == nil {
		err = s.talk(ctx, p.Addr)
	}
	if err == nil {
		err = s.look(ctx, p.Addr)
	}
	p.End(syscall.SIGTERM, harness.Patience)
	err = errors.Join(err, <-scanned)
	if !p.State().Success() {
		err = errors.Join(err, errors.New(p.State().String()))
	}
	if err != nil {
		return 0, fmt.Errorf("talk to slotway: %w", err)
	}
	return s.out.folder(atRest, s.dir)
}

// process prepares the slotway process, with planted secrets in its environment.
func (s *service) process() (*harness.Slotway, error) {
	p, err := harness.NewSlotway("slotway", s.binary, s.dir)
	if err != nil {
		return nil, err
	}
	agent, err := harness.WriteAgent(filepath.Dir(s.dir), harness.Canary)
	if err != nil {
		return nil, err
	}
	p.Args = append([]string{"--agent", agent}, harness.SetFlags(append([]string{
		"telemetry.log=stderr", "telemetry.level=debug", "telemetry.otlp_endpoint=" + s.outside + "/v1/traces", "memory.durability=relaxed",
		"memory.encryption_key_env=CANARY_KEY", "server.limits.rate=0",
	}, s.set...)...)...)
	p.Env = []string{
		"CANARY_KEY=" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef")),
		"CANARY_URL=" + s.outside, "CANARY_SECRET=" + secret, "CANARY_NUMBER=" + number, "OPENAI_API_KEY=" + secret,
	}
	return p, nil
}

// talk runs the clients until they have taken all turns.
func (s *service) talk(ctx context.Context, addr string) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: s.people}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	until := s.counts.turns.Load() + s.turns
	var all sync.WaitGroup
	for i := range s.people {
		p := &person{s.out, &harness.Client{Addr: addr, HTTP: client}, rand.New(rand.NewPCG(s.seed, uint64(i))), s.counts}
		all.Go(func() {
			for n := 0; s.counts.turns.Load() < until; n++ {
				const often = 64 // it makes slotway start a program
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

// look reads the pages of an operator, which show masked values: metrics and listings.
func (s *service) look(ctx context.Context, addr string) error {
	client := &harness.Client{Addr: addr, HTTP: http.DefaultClient}
	for _, path := range []string{
		"/metrics", "/v1/agent", "/v1/sessions?limit=5", "/openapi.json", "/studio", "/v1/models",
	} {
		data, err := client.Get(ctx, path)
		if err != nil {
			return err
		}
		if path == "/v1/sessions?limit=5" {
			continue // session ids come from the clients and are not masked
		}
		s.out.search(path, data)
	}
	return nil
}
