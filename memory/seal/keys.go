package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"github.com/slotway/slotway/memory"
)

const (
	keyBytes = 32
	idBytes  = 4
)

// maxUsers bounds how many derived keys are kept; deriving one takes microseconds.
const maxUsers = 4096

// Keys are master keys; the first one encrypts.
type Keys struct {
	// Report is called with stored values that were skipped, because they do not open and can be made
	// again; nil: nobody hears.
	Report func(memory.Key, error)

	list []master

	mu    sync.Mutex // guards users
	users map[userKey]cipher.AEAD
}

// Skipped reports a value that was skipped.
func (k *Keys) Skipped(key memory.Key, err error) {
	if k != nil && k.Report != nil {
		k.Report(key, err)
	}
}

type master struct {
	id     string // the first idBytes of the key's SHA-256, as hex digits
	secret []byte
}

type userKey struct{ master, user string }

// ParseKeys reads master keys, separated by commas: 32 bytes each, as 64 hex digits or as
// base64. The text of an error holds no part of them.
func ParseKeys(text string) (*Keys, error) {
	k := &Keys{users: map[userKey]cipher.AEAD{}}
	for i, part := range strings.Split(text, ",") {
		secret, err := decodeKey(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("key %d of the list: %w; make one with: openssl rand -hex 32", i+1, err)
		}
		sum := sha256.Sum256(secret)
		k.list = append(k.list, master{hex.EncodeToString(sum[:idBytes]), secret})
	}
	return k, nil
}

func decodeKey(text string) ([]byte, error) {
	if secret, err := hex.DecodeString(text); err == nil && len(secret) == keyBytes {
		return secret, nil
	}
	for _, form := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if secret, err := form.DecodeString(text); err == nil && len(secret) == keyBytes {
			return secret, nil
		}
	}
	return nil, fmt.Errorf("%w: it is not %d bytes as hex or base64", ErrBadKey, keyBytes)
}

// of returns the cipher of a user under a master key.
func (k *Keys) of(id, user string) (cipher.AEAD, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if aead := k.users[userKey{id, user}]; aead != nil {
		return aead, nil
	}
	for _, m := range k.list {
		if m.id != id {
			continue
		}
		secret, err := hkdf.Key(sha256.New, m.secret, nil, "slotway user "+user, keyBytes)
		if err != nil {
			return nil, err
		}
		block, err := aes.NewCipher(secret)
		if err != nil {
			return nil, err
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return nil, err
		}
		if len(k.users) >= maxUsers {
			clear(k.users)
		}
		k.users[userKey{id, user}] = aead
		return aead, nil
	}
	return nil, fmt.Errorf("%w (%s); give the key that encrypted it, or put it behind the new one", ErrWrongKey, id)
}
