package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sealed"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
)

// newSeals is how stored values are opened: one that was not sealed for its moment holds no yes.
func newSeals() *sealed.Options { return &sealed.Options{AskAgain: sessions.AskAgain} }

// seals is newSeals for a service, which tells of what it passes over.
func (a *app) seals() *sealed.Options {
	opts := newSeals()
	opts.Report = func(key memory.Key, err error) { a.passedOver("memory", key, err) }
	return opts
}

// passedOver tells telemetry of something stored that cannot be read, and was left out of what
// it is a part of. The error says what is wrong and what to do; it quotes no value.
func (a *app) passedOver(where string, key memory.Key, err error) {
	if a.sink == nil {
		return // the store is being opened
	}
	a.sink.Record(telemetry.Event{
		Time: wallClock(), Level: telemetry.LevelError, UserID: key.UserID, SessionID: key.SessionID,
		Payload: telemetry.Failure{Code: "corrupt", Stage: where, Message: telemetry.ScrubError(fmt.Errorf("%w; it is left out until that is mended: db check tells the row, sessions forget erases the session", err), nil)},
	})
}

// encrypted puts a store behind its encryption, if there is one. Else nobody reads what is
// encrypted for what was said. It closes a store that it cannot encrypt.
func encrypted(ctx context.Context, plain memory.Backend, s *config.Settings, seals *sealed.Options) (memory.Backend, error) {
	store, err := opened(ctx, plain, s.Memory.EncryptionKeyEnv, seals)
	if err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	return following(ctx, s, store)
}

func opened(ctx context.Context, plain memory.Backend, keyEnv string, seals *sealed.Options) (memory.Backend, error) {
	if keyEnv == "" {
		return sealed.NewGuard(ctx, plain)
	}
	keys, err := sealed.ParseKeys(os.Getenv(keyEnv))
	if err != nil {
		return nil, fmt.Errorf("memory.encryption_key_env is %s: %w", keyEnv, err)
	}
	store, err := sealed.Open(ctx, plain, keys, seals)
	if err != nil {
		return nil, fmt.Errorf("memory.encryption_key_env is %s: %w", keyEnv, err)
	}
	return store, nil
}
