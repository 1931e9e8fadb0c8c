package build

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/seal"
	"github.com/slotway/slotway/router/sessions"
)

// sealed gives a store the keys that the settings name. Without any, an encrypted store is refused. It
// closes a store that it cannot open so.
func (o *Stores) sealed(ctx context.Context, plain memory.Backend, s *settings.Settings) (memory.Backend, error) {
	store, err := o.withKeys(ctx, plain, s.Memory.EncryptionKeyEnv)
	if err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	return o.withVectorDeletes(ctx, s, store)
}

func (o *Stores) withKeys(ctx context.Context, plain memory.Backend, keyEnv string) (memory.Backend, error) {
	if keyEnv == "" || o.Unencrypted {
		store, err := seal.Open(ctx, plain, nil)
		if o.Unencrypted {
			store = sessions.Asking{Backend: store}
		}
		return store, err
	}
	keys, err := seal.ParseKeys(os.Getenv(keyEnv))
	if err == nil {
		keys.Report = o.Report
		plain, err = seal.Open(ctx, plain, keys)
	}
	if err != nil {
		return nil, fmt.Errorf("memory.encryption_key_env is %s: %w", keyEnv, err)
	}
	return plain, nil
}
