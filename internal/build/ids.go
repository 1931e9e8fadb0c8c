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

const keyBytes = 32

// IDKey returns the key for the digests of ids that telemetry does not show: that of the environment
// variable, so that all replicas digest an id alike, or that of the data folder if the settings name no
// variable.
func IDKey(dir, variable string) (func() []byte, error) {
	return lastingKey(filepath.Join(dir, "telemetry.key"), "telemetry.id_key_env", variable)
}

// VisitKey returns the key that signs the tokens of visitors, likewise: one of several replicas may get
// a visitor of another replica.
func VisitKey(dir, variable string) (func() []byte, error) {
	return lastingKey(filepath.Join(dir, "visitors.key"), "server.widget.key_env", variable)
}

func lastingKey(file, setting, variable string) (func() []byte, error) {
	if variable == "" {
		return keyIn(file), nil
	}
	key := []byte(os.Getenv(variable))
	if len(key) < keyBytes {
		return nil, fmt.Errorf("%s is %s: its value has %d characters, fewer than %d; make one with: openssl rand -hex 32",
			setting, variable, len(key), keyBytes)
	}
	return func() []byte { return key }, nil
}

// keyIn reads the key in a file when it is first needed, and creates it if there is none, so that what
// was made with it holds after a restart and in all commands. If the folder is not writable, the key
// lasts as long as the process.
func keyIn(file string) func() []byte {
	return sync.OnceValue(func() []byte {
		if key, ok := readKey(file); ok {
			return key
		}
		key := make([]byte, keyBytes)
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
	return key, err == nil && len(key) == keyBytes
}
