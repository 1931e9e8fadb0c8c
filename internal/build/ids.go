package build

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/slotway/slotway/config/durable"
)

const keyBytes = 32

// IDKey returns the key for the digests of ids that telemetry does not show: that of the environment
// variable, so that all replicas digest an id alike, or that of the data folder if the settings name no
// variable.
func IDKey(dir, variable string) ([]byte, error) {
	return lastingKey(filepath.Join(dir, "telemetry.key"), "telemetry.id_key_env", variable)
}

// VisitKey returns the key that signs the tokens of visitors, likewise: one of several replicas may get
// a visitor of another replica.
func VisitKey(dir, variable string) ([]byte, error) {
	return lastingKey(filepath.Join(dir, "visitors.key"), "server.widget.key_env", variable)
}

// lastingKey reads a key, and makes the file of one that no variable holds. What was made with it holds after a
// restart and in all commands, so one that cannot be stored or read is an error.
func lastingKey(file, setting, variable string) ([]byte, error) {
	if variable != "" {
		key := []byte(os.Getenv(variable))
		if len(key) < keyBytes {
			return nil, fmt.Errorf("%s is %s: its value has %d characters, fewer than %d; make one with: openssl rand -hex 32",
				setting, variable, len(key), keyBytes)
		}
		return key, nil
	}
	_, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		key := make([]byte, keyBytes)
		_, _ = rand.Read(key) // it never fails
		if err = durable.MkdirAll(filepath.Dir(file), 0o700); err == nil {
			err = durable.NewFile(file, func(out io.Writer) error {
				_, err := out.Write(key)
				return err
			})
		}
		if err != nil && !errors.Is(err, fs.ErrExist) { // one of several processes is first, and all read its key
			return nil, fmt.Errorf("store the key %s: %w; %s, or name a variable that holds one in %s", file, err, durable.Remedy(err), setting)
		}
	}
	key, err := os.ReadFile(file)
	if err == nil && len(key) != keyBytes {
		err = fmt.Errorf("it has %d bytes instead of %d", len(key), keyBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("read the key %s: %w; bring it back from a backup, or remove it to begin with a new one, which knows nobody that the old one knew", file, err)
	}
	return key, nil
}
