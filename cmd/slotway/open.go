package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/cmd/slotway/traces"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/postgres"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/pgvector"
	"github.com/slotway/slotway/memory/redis"
	_ "github.com/slotway/slotway/tools/httptool/openapi" // tools may name OpenAPI documents
)

// What this program links in addition to the stores of package slotway.
var (
	drivers       = []memory.Driver{redis.Driver(postgres.Driver())}
	vectorDrivers = []recall.VectorDriver{pgvector.Driver()}
)

// open opens the agent of the flags with everything that this program links.
func (f *flags) open(ctx context.Context, o slotway.Options) (*slotway.Runtime, error) {
	var err error
	if o.Settings, err = f.settings(); err != nil {
		return nil, err
	}
	f.firstStart(o.Settings)
	usual := lateCollection()
	defer usual()
	notice := f.notice("Training the classifier on the agent's examples; the next start reads it from "+filepath.Join(build.DataDir(o.Settings), "classifiers")+".", 1)
	o.Training = func(done, total int) {
		usual() // training takes long, and much memory
		notice.training(done, total)
	}
	r, err := slotway.Open(ctx, f.agent, f.linked(o))
	if err != nil {
		return nil, f.namedIn(f.missingAgent(err))
	}
	if names := r.Unregistered(); len(names) > 0 {
		return nil, errors.Join(fmt.Errorf("tool %s: kind go needs a function, which only a program that embeds Slotway has; see 'go doc github.com/slotway/slotway'", strings.Join(names, ", ")), r.Close())
	}
	return r, nil
}

// linked adds the drivers of this program to options.
func (f *flags) linked(o slotway.Options) *slotway.Options {
	o.Drivers, o.Vectors, o.Traces = drivers, vectorDrivers, traces.Open
	return &o
}

// allStores opens stores for commands that run no turns.
func allStores() *build.Stores { return &build.Stores{Drivers: drivers, Vectors: vectorDrivers} }

// openStore opens the store of the settings for a command that runs no turns.
func openStore(ctx context.Context, s *settings.Settings) (memory.Backend, error) {
	opened, err := allStores().Open(ctx, s)
	if err != nil {
		return nil, err
	}
	opened.Store.Keep(memory.Rules{Now: time.Now})
	return opened.Store, nil
}

// settings merges the file, the environment and the flags.
func (f *flags) settings() (*settings.Settings, error) {
	over := map[string]string{}
	for _, kv := range f.set {
		path, value, ok := strings.Cut(kv, "=")
		if !ok {
			return nil, usagef("--set takes PATH=VALUE, got %q", kv)
		}
		over[path] = value
	}
	path := f.config
	if path == "" {
		if _, err := os.Stat(usualSettings); err == nil {
			path = usualSettings
		}
	}
	s, err := settings.Load(path, os.Environ(), over)
	if errors.Is(err, fs.ErrNotExist) && f.config != "" {
		return nil, fmt.Errorf("%w; --config names a settings file, and 'slotway config init' writes one", err)
	}
	if err != nil {
		return nil, err
	}
	if f.warn != nil {
		f.warn(s.Warnings)
	}
	if f.data != "" {
		s.Memory.StoragePath = filepath.Join(f.data, filepath.Base(s.Memory.StoragePath))
	}
	return s, nil
}

// loadAgent reads the agent of the flags.
func (f *flags) loadAgent() (*config.Agent, error) {
	if f.agent == "" {
		return config.Default()
	}
	agent, err := config.Load(f.agent)
	return agent, f.namedIn(f.missingAgent(err))
}

// usualAgent is the agent's file that every command takes if it is there and nothing names another.
const usualAgent = "agent.yaml"

// findAgent takes the agent of the settings where no flag names one, else the file agent.yaml of the working
// folder. Wrong settings name none: the command reports them if it needs them.
func (f *flags) findAgent() {
	if f.agent != "" {
		return
	}
	warn := f.warn
	f.warn = nil
	s, err := f.settings()
	if f.warn = warn; err == nil && s.AgentPath != "" {
		f.agent, f.named = s.AgentPath, s.Origin("agent.path")
	} else if _, err := os.Stat(usualAgent); err == nil {
		f.agent = usualAgent
	}
}

// namedIn adds what names the agent to the error of an agent that cannot be read.
func (f *flags) namedIn(err error) error {
	if f.named == "" || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%w; %s names this file as the agent: correct it, or give --agent", err, f.named)
}

// missingAgent adds a remedy to the error for an agent's file that is not there.
func (f *flags) missingAgent(err error) error {
	var path *fs.PathError
	if errors.Is(err, fs.ErrNotExist) && errors.As(err, &path) && path.Path == f.agent {
		return fmt.Errorf("%w; --agent names an agent's file, and 'slotway init DIR' makes one", err)
	}
	return err
}

// classifier builds the classifier of an agent as a server has it, for a command without
// conversations.
func (f *flags) classifier(agent *config.Agent, warnings io.Writer) (classifier.Classifier, error) {
	settings, err := f.settings()
	if err != nil {
		return nil, err
	}
	client, err := build.ModelClient(settings.Models.Chat)
	if err != nil {
		return nil, err
	}
	return build.TrainClassifier(agent, settings, client, build.ModelsIn(build.DataDir(settings), warnings), f.tick("Training the classifier on the agent's examples.", 1))
}

// learning returns the training options of the settings, for a command that trains classifiers itself.
// The training ends with the command's context.
func (f *flags) learning(cache cascade.Cache) (*cascade.Options, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	o, err := build.Learning(s.Classifier, cache, 0)
	if err != nil {
		return nil, err
	}
	ctx := f.context()
	o.Tick = func(int, int) error { return ctx.Err() }
	return o, nil
}
