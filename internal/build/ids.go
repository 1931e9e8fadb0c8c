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

// The file with the key for ids that telemetry does not show, in the data folder.
const (
	idKeyFile  = "telemetry.key"
	idKeyBytes = 32
)

// IDKey returns the key for the digests of ids: that of the environment variable, so that all
// replicas digest an id alike, or that of the data folder if the settings name no variable.
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

// idKeyIn reads the key of a data folder, and creates it if there is none, so that the digest of an
// id survives a restart and is the same in all commands. If the folder is not writable, the key
// lasts as long as the process.
func idKeyIn(dir string) func() []byte {
	return sync.OnceValue(func() []byte {
		file := filepath.Join(dir, idKeyFile)
		if key, ok := readKey(file); ok {
			return key
		}
		key := make([]byte, idKeyBytes)
		_, _ = rand.Read(key)                                 // it never fails
		_ = durable.NewFile(file, func(out io.Writer) error { // one of several processes is first, and all read its key
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
