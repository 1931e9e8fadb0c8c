package build

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/slotway/slotway/config/durable"
)

// The key of the ids that telemetry does not show, in the data folder.
const (
	idKeyFile  = "telemetry.key"
	idKeyBytes = 32
)

// IDKey is the key with which ids are digested: that of the environment variable, so that
// replicas tell the same digest of an id, or, where none is named, that of the data folder.
func IDKey(dir, variable string) (func() []byte, error) {
	if variable == "" {
		return idKeyIn(dir), nil
	}
	key := []byte(os.Getenv(variable))
	if len(key) < idKeyBytes {
		return nil, fmt.Errorf("telemetry.id_key_env is %s: its value has %d characters, fewer than %d; make one with: openssl rand -hex 32",
			variable, len(key), idKeyBytes)
	}
	return func() []byte { return key }, nil
}

// idKeyIn reads the key of a data folder, and makes it where there is none, so that an id has
// the same digest after a restart and in all commands. Where the folder does not let itself be
// written to, the key lasts as long as the process.
func idKeyIn(dir string) func() []byte {
	return sync.OnceValue(func() []byte {
		file := filepath.Join(dir, idKeyFile)
		if key, ok := readKey(file); ok {
			return key
		}
		key := make([]byte, idKeyBytes)
		_, _ = rand.Read(key)                                 // it never fails
		_ = durable.NewFile(file, func(out io.Writer) error { // of several processes one is the first, and all read its key
			_, err := out.Write(key)
			return err
		})
		if first, ok := readKey(file); ok {
			return first
		}
		return key
	})
}

func readKey(file string) ([]byte, bool) {
	key, err := os.ReadFile(file)
	return key, err == nil && len(key) == idKeyBytes
}
