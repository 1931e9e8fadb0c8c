package access

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/config/settings"
)

// ErrKeysReadable: users other than its owner can read the file of keys. Its hashes do not reveal the
// keys, but the file says who may do what.
var ErrKeysReadable = errors.New("the file of API keys can be read by others; chmod 600 it")

// Keys are API keys, stored as SHA-256 hashes in a file. A key is 256 random bits that nobody can
// guess, so a slow hash as for passwords would only make each request expensive.
//
// A request reads the file again if the last check is a second ago. Its content is compared, because
// size and times can stay the same when a key is removed.
type Keys struct {
	path   string
	notify func(error)
	now    func() time.Time

	current   atomic.Pointer[[]settings.APIKey]
	checkedAt atomic.Int64 // when the file was last looked at, in Unix nanoseconds

	mu       sync.Mutex        // held by who looks at the file; guards what follows
	digest   [sha256.Size]byte // of what current was read from
	lastErr  error             // why the file as it is now was not taken
	readable bool
}

// checkEvery is how long a change of the file may go unnoticed.
const checkEvery = time.Second

// OpenKeys reads the file of keys. It fails when the file cannot be read or is wrong.
func OpenKeys(path string, opts *Options) (*Keys, error) {
	o := opts.withDefaults()
	k := &Keys{path: path, notify: o.Notify, now: o.Now}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.read(); err != nil {
		return nil, err
	}
	return k, nil
}

// Reload checks the file now. If it is wrong or missing, the last good one stays in force, and the
// error, which is also passed to Notify, says why.
func (k *Keys) Reload() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.reload()
}

// currentKeys returns the keys that the file had a second ago at most. While one request reads the
// file, the others do not wait.
func (k *Keys) currentKeys() []settings.APIKey {
	if k.now().UnixNano()-k.checkedAt.Load() >= int64(checkEvery) && k.mu.TryLock() {
		_ = k.reload() // notify tells of it
		k.mu.Unlock()
	}
	return *k.current.Load()
}

// reload is called with k.mu held.
func (k *Keys) reload() error {
	before, trouble := k.digest, k.lastErr
	k.lastErr = k.read()
	switch now := k.lastErr; {
	case now != nil && (trouble == nil || trouble.Error() != now.Error()):
		k.notify(fmt.Errorf("the API keys of before hold: %w", now))
	case now == nil && (trouble != nil || k.digest != before):
		k.notify(nil)
	}
	return k.lastErr
}

// read takes the file's keys if they are valid and have changed.
func (k *Keys) read() error {
	k.checkedAt.Store(k.now().UnixNano())
	data, err := settings.ReadKeys(k.path)
	if err != nil {
		return err
	}
	k.checkMode()
	digest := sha256.Sum256(data)
	if digest == k.digest && k.current.Load() != nil {
		return nil
	}
	keys, problems := settings.ParseKeys(k.path, data)
	if err := problems.Err(); err != nil {
		return err
	}
	k.digest = digest
	k.current.Store(&keys)
	return nil
}

// checkMode reports once that others can read the file. Windows has no such modes.
func (k *Keys) checkMode() {
	info, err := os.Stat(k.path)
	loose := err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
	if loose && !k.readable {
		k.notify(ErrKeysReadable)
	}
	k.readable = loose
}

// identify compares with every key, so that the time does not reveal which one nearly matched.
func (k *Keys) identify(text string) (Identity, error) {
	hash := sha256.Sum256([]byte(text))
	keys := k.currentKeys()
	found := -1
	for i := range keys {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(hash[:], keys[i].Hash[:]), i, found)
	}
	if found < 0 {
		return Identity{}, ErrNoCredentials
	}
	key := &keys[found]
	if !key.Expires.IsZero() && !k.now().Before(key.Expires) {
		return Identity{}, ErrNoCredentials
	}
	id := Identity{Name: key.Name, UserID: key.User, Agents: key.Agents}
	for _, s := range key.Scopes {
		id.Scopes = append(id.Scopes, Scope(s))
	}
	return id, nil
}

// keyPrefix tells secret scanners and people what a key is for.
const keyPrefix = "slotway_"

// NewKey makes a key and its hash. The key is shown once and not stored.
func NewKey() (key string, hash [sha256.Size]byte) {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails: https://pkg.go.dev/crypto/rand#Read
	key = keyPrefix + base64.RawURLEncoding.EncodeToString(raw[:])
	return key, sha256.Sum256([]byte(key))
}
