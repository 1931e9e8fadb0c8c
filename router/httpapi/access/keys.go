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

// ErrLooseFile: others than its owner can read the file of keys. Its hashes do not give
// the keys away, but they tell who may do what.
var ErrKeysReadable = errors.New("the file of API keys can be read by others; chmod 600 it")

// KeysOptions are what Keys may do without; the zero value is right.
type KeysOptions struct {
	// Notify hears what became of the file: nil when a changed one was taken, ErrLooseFile,
	// or why a changed one was not taken and the last good one holds. Each fact once.
	Notify func(error)
	Now    func() time.Time // the clock; default time.Now
}

// Keys are API keys, known by their SHA-256 in a file. A key is 256 random bits: there is
// nothing to guess, so a slow hash as passwords need would only make each request dear.
//
// The file is read again when a request comes and the last look is a second ago: its
// size and times can stay the same when a key is taken out of it, its content cannot.
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

// checkEvery is how long a change of the file may go unseen.
const checkEvery = time.Second

// OpenKeys reads the file of keys. It fails when the file cannot be read or is wrong.
func OpenKeys(path string, opts *KeysOptions) (*Keys, error) {
	k := &Keys{path: path, notify: func(error) {}, now: time.Now}
	if opts != nil && opts.Notify != nil {
		k.notify = opts.Notify
	}
	if opts != nil && opts.Now != nil {
		k.now = opts.Now
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.read(); err != nil {
		return nil, err
	}
	return k, nil
}

// Reload looks at the file now. Where it is wrong or gone the last good one holds, and the
// error, which Told hears too, says so.
func (k *Keys) Reload() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.reload()
}

// currentKeys is the keys as the file had them a second ago at most. While one request looks,
// the others do not wait for the disk.
func (k *Keys) currentKeys() []settings.APIKey {
	if k.now().UnixNano()-k.checkedAt.Load() >= int64(checkEvery) && k.mu.TryLock() {
		_ = k.reload() // Told hears it
		k.mu.Unlock()
	}
	return *k.current.Load()
}

// reload is called with looking held.
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

// read takes the file's keys if it is right and not the one that was read last.
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

// checkMode tells, once, that the file can be read by others. Windows has no such modes.
func (k *Keys) checkMode() {
	info, err := os.Stat(k.path)
	loose := err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
	if loose && !k.readable {
		k.notify(ErrKeysReadable)
	}
	k.readable = loose
}

// identify compares with every key, so that the time does not tell which was nearly right.
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

// keyPrefix lets secret scanners and people tell what a key is for.
const keyPrefix = "slotway_"

// NewKey makes a key and its hash. The key is to be shown once and kept by whom it is for.
func NewKey() (key string, hash [sha256.Size]byte) {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails: https://pkg.go.dev/crypto/rand#Read
	key = keyPrefix + base64.RawURLEncoding.EncodeToString(raw[:])
	return key, sha256.Sum256([]byte(key))
}
