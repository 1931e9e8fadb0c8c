package build

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/encrypted"
	"github.com/slotway/slotway/router/sessions"
)

// EncryptionOptions returns the options for reading stored values: a pending confirmation that was
// not encrypted for its moment is asked again.
func EncryptionOptions() *encrypted.Options { return &encrypted.Options{AskAgain: sessions.AskAgain} }

// encrypted adds the encryption that the settings name to a store. Without one, it keeps the store
// from taking encrypted values for text. It closes a store that it cannot encrypt.
func (o *Stores) encrypted(ctx context.Context, plain memory.Backend, s *settings.Settings) (memory.Backend, error) {
	seals := o.Encryption
	if seals == nil {
		seals = EncryptionOptions()
	}
	store, err := openEncrypted(ctx, plain, s.Memory.EncryptionKeyEnv, seals)
	if err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	return o.withVectorDeletes(ctx, s, store)
}

func openEncrypted(ctx context.Context, plain memory.Backend, keyEnv string, seals *encrypted.Options) (memory.Backend, error) {
	if keyEnv == "" {
		return encrypted.NewGuard(ctx, plain)
	}
	keys, err := encrypted.ParseKeys(os.Getenv(keyEnv))
	if err != nil {
		return nil, fmt.Errorf("memory.encryption_key_env is %s: %w", keyEnv, err)
	}
	store, err := encrypted.Open(ctx, plain, keys, seals)
	if err != nil {
		return nil, fmt.Errorf("memory.encryption_key_env is %s: %w", keyEnv, err)
	}
	return store, nil
}
