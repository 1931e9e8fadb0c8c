package access

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/slotway/slotway/config/settings"
)

// OpenOptions configure FromSettings; every zero value has a default.
type OpenOptions struct {
	Secret func(name string) string // the value of an environment variable, such as os.Getenv
	Notify func(error)              // hears what KeysOptions.Told and TokensOptions.Told do
	Now    func() time.Time         // the clock; default time.Now
}

// FromSettings makes the Authenticator of the settings; nil if they ask for none.
func FromSettings(s settings.Auth, opts *OpenOptions) (*Bearer, error) {
	var o OpenOptions
	if opts != nil {
		o = *opts
	}
	if !s.Asks() {
		return nil, nil
	}
	b := &Bearer{}
	var err error
	if s.KeysFile != "" {
		b.Keys, err = OpenKeys(s.KeysFile, &KeysOptions{Notify: o.Notify, Now: o.Now})
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("server.auth.keys_file: %w; make a key: slotway keys new --name web --user alice --file %s", err, s.KeysFile)
		}
		if err != nil {
			return nil, fmt.Errorf("server.auth.keys_file: %w", err)
		}
	}
	if s.JWT.Enabled() {
		if b.Tokens, err = NewTokens(s.JWT, &TokensOptions{Secret: o.Secret, Notify: o.Notify, Now: o.Now}); err != nil {
			return nil, fmt.Errorf("server.auth.jwt: %w", err)
		}
	}
	return b, nil
}
