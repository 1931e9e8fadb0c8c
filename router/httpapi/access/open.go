package access

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/slotway/slotway/config/settings"
)

// Options configure Keys, Tokens and both; every zero value has a default.
type Options struct {
	// Secret returns the value of an environment variable, such as os.Getenv; nil: there are none.
	Secret func(name string) string
	// Notify is called once for each change of the file of keys: with nil if it was read, ErrKeysReadable, or
	// why it was not read; and with the reason why a key set was not fetched. The last good one stays in
	// force.
	Notify func(error)
	Now    func() time.Time // the clock; default time.Now
}

// withDefaults returns the options with every default filled in. o may be nil.
func (o *Options) withDefaults() Options {
	var filled Options
	if o != nil {
		filled = *o
	}
	if filled.Secret == nil {
		filled.Secret = func(string) string { return "" }
	}
	if filled.Notify == nil {
		filled.Notify = func(error) {}
	}
	if filled.Now == nil {
		filled.Now = time.Now
	}
	return filled
}

// FromSettings makes the Authenticator of the settings; nil if they ask for none.
func FromSettings(s settings.Auth, opts *Options) (*Bearer, error) {
	if !s.Asks() {
		return nil, nil
	}
	b := &Bearer{}
	var err error
	if s.KeysFile != "" {
		b.Keys, err = OpenKeys(s.KeysFile, opts)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("server.auth.keys_file: %w; make a key: slotway keys new --name web --user alice --file %s", err, s.KeysFile)
		}
		if err != nil {
			return nil, fmt.Errorf("server.auth.keys_file: %w", err)
		}
	}
	if s.JWT.Enabled() {
		if b.Tokens, err = NewTokens(s.JWT, opts); err != nil {
			return nil, fmt.Errorf("server.auth.jwt: %w", err)
		}
	}
	return b, nil
}
