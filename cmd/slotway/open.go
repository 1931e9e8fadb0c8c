package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/cmd/slotway/traces"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/expiring"
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
	r, err := slotway.Open(ctx, f.agent, f.linked(o))
	if err != nil {
		return nil, err
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
	return expiring.New(opened.Store, nil), nil
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
		if _, err := os.Stat("slotway.yaml"); err == nil {
			path = "slotway.yaml"
		}
	}
	s, err := settings.Load(path, os.Environ(), over)
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
	return config.Load(f.agent)
}

// dataDir is the folder of everything that outlives the process.
func dataDir(s *settings.Settings) string { return filepath.Dir(s.Memory.StoragePath) }

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
	return build.Classifier(agent, settings, client, build.ModelsIn(dataDir(settings), warnings))
}

// learning returns the training options of the settings, for a command that trains classifiers itself.
func (f *flags) learning(cache cascade.Cache) (*cascade.Options, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	return build.Learning(s.Classifier, cache, 0)
}
