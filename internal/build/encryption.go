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

// encrypted adds the encryption that the settings name to a store. Without one, it keeps the store
// from taking encrypted values for text. It closes a store that it cannot encrypt.
func (o *Stores) encrypted(ctx context.Context, plain memory.Backend, s *settings.Settings) (memory.Backend, error) {
	store, err := o.openEncrypted(ctx, plain, s.Memory.EncryptionKeyEnv)
	if err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	return o.withVectorDeletes(ctx, s, store)
}

func (o *Stores) openEncrypted(ctx context.Context, plain memory.Backend, keyEnv string) (memory.Backend, error) {
	if keyEnv == "" || o.Unencrypted {
		guard, err := encrypted.NewGuard(ctx, plain)
		if o.Unencrypted {
			guard.AskAgain = sessions.AskAgain
		}
		return guard, err
	}
	keys, err := encrypted.ParseKeys(os.Getenv(keyEnv))
	if err != nil {
		return nil, fmt.Errorf("memory.encryption_key_env is %s: %w", keyEnv, err)
	}
	store, err := encrypted.Open(ctx, plain, keys)
	if err != nil {
		return nil, fmt.Errorf("memory.encryption_key_env is %s: %w", keyEnv, err)
	}
	store.Report = o.Report
	return store, nil
}
