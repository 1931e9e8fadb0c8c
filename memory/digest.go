package memory

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"strconv"

	"github.com/google/uuid"
)

// Digests name what was said without telling it: ids and names that are made from texts are
// stored, logged and sent, and whoever sees one of a digest without a key can find the text by
// guessing. nil has no key; it is for tests and tools that keep nothing.
type Digests struct {
	keys    [][]byte
	renewed bool
}

// NewDigests returns digests under the first of the keys; the others made earlier ones.
func NewDigests(keys ...[]byte) *Digests { return &Digests{keys: keys} }

// DigestSource is a store that has keys of its own for digests: one that is encrypted.
type DigestSource interface{ Digests() (*Digests, error) }

// digestKey is where a store that is not encrypted has its key: in the journal of a session that
// was never begun, for such a one is in no listing and no export, and nothing prunes it. It is
// kept in the store and not beside it: whoever reads the store reads the texts themselves there;
// so it reaches all replicas and every backup, and Copy takes it along. A key that is damaged stays
// there, for a backup to be compared with; the next one is in a session of its own.
func digestKey(n int) Key {
	id := "digests"
	if n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	return Key{UserID: "$slotway", AgentID: "$slotway", SessionID: id}
}

// maxDigestKeys is how many keys of a store may be damaged before it is given up.
const maxDigestKeys = 16

// OpenDigests returns the digests of a store; the first time it makes their key. A damaged key is
// lost, and the store goes on with a new one: Renewed tells, once.
func OpenDigests(ctx context.Context, store SessionStore) (*Digests, error) {
	if own, ok := store.(DigestSource); ok {
		return own.Digests()
	}
	step, n, err := readDigestKey(ctx, store)
	if err != nil {
		return nil, fmt.Errorf("read the key of digests: %w", err)
	}
	made := false
	if step == nil {
		secret := make([]byte, sha256.Size)
		_, _ = rand.Read(secret) // it never fails
		args, err := json.Marshal(hex.EncodeToString(secret))
		if err != nil {
			return nil, err
		}
		err = store.Start(ctx, digestKey(n), 0, Step{IdempotencyKey: "1", Tool: "digests", Args: args, Status: StepStarted})
		if err != nil && !errors.Is(err, ErrStarted) { // another process may make it at the same time
			return nil, fmt.Errorf("write the key of digests: %w", err)
		}
		made = err == nil
		if step, _, err = readDigestKey(ctx, store); err != nil {
			return nil, fmt.Errorf("read the key of digests: %w", err)
		}
	}
	if step == nil {
		return nil, fmt.Errorf("the key of digests is gone: %w", ErrUnavailable)
	}
	d := NewDigests(secretOf(step))
	d.renewed = made && n > 1
	return d, nil
}

// readDigestKey finds the row of the key in use, and where it is; nil: where one is to be made.
func readDigestKey(ctx context.Context, store SessionStore) (step *Step, n int, err error) {
	for n = 1; n <= maxDigestKeys; n++ {
		var steps []Step
		steps, err = store.Steps(ctx, digestKey(n))
		switch {
		case err != nil && !errors.Is(err, ErrCorrupt):
			return nil, 0, err
		case len(steps) > 0 && secretOf(&steps[0]) != nil:
			return &steps[0], n, nil
		case err == nil && len(steps) == 0:
			return nil, n, nil
		}
	}
	return nil, 0, cmp.Or(err, ErrCorrupt)
}

// secretOf is the key that a row holds; nil: it cannot be read.
func secretOf(step *Step) []byte {
	var text string
	err := json.Unmarshal(step.Args, &text)
	secret, bad := hex.DecodeString(text)
	if err != nil || bad != nil || len(secret) != sha256.Size {
		return nil
	}
	return secret
}

// Renewed reports that the key of the store was damaged and a new one was made just now.
func (d *Digests) Renewed() bool { return d != nil && d.renewed }

// copyDigests gives a store the key of another, unless it has one.
func CopyDigests(ctx context.Context, from, to SessionStore) error {
	if _, ok := to.(DigestSource); ok {
		return nil
	}
	if _, ok := from.(DigestSource); ok {
		return nil
	}
	step, _, err := readDigestKey(ctx, from)
	if err != nil || step == nil {
		return err
	}
	if err := to.Start(ctx, digestKey(1), 0, *step); err != nil && !errors.Is(err, ErrStarted) {
		return err
	}
	return nil
}

// Of is the digest of parts: no two lists give the same.
func (d *Digests) Of(parts ...string) []byte {
	var key []byte
	if d != nil && len(d.keys) > 0 {
		key = d.keys[0]
	}
	return sum(key, parts)
}

// Hex is Of as 64 digits.
func (d *Digests) Hex(parts ...string) string { return hex.EncodeToString(d.Of(parts...)) }

// UUID is Of as a UUID of version 8.
func (d *Digests) UUID(parts ...string) string {
	id := uuid.UUID(d.Of(parts...)[:16])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return id.String()
}

// Former are what Hex was under earlier keys, and before digests had one. They are for looking
// up what was stored then.
func (d *Digests) Former(parts ...string) []string {
	var out []string
	if d != nil && len(d.keys) > 1 {
		for _, key := range d.keys[1:] {
			out = append(out, hex.EncodeToString(sum(key, parts)))
		}
	}
	bare := sha256.Sum256(LengthPrefixed(parts...))
	return append(out, hex.EncodeToString(bare[:]))
}

// Hashes are what Of and Former sum up with, in their order: each is to be given [LengthPrefixed] parts.
// They are for lists that are named at several of their lengths.
func (d *Digests) Hashes() []hash.Hash {
	keys := [][]byte{nil}
	if d != nil && len(d.keys) > 0 {
		keys = d.keys
	}
	out := make([]hash.Hash, 0, len(keys)+1)
	for _, key := range keys {
		out = append(out, hmac.New(sha256.New, key))
	}
	return append(out, sha256.New())
}

func sum(key []byte, parts []string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(LengthPrefixed(parts...))
	return mac.Sum(nil)
}

// LengthPrefixed puts parts together so that no two lists give the same bytes.
func LengthPrefixed(parts ...string) []byte {
	var out []byte
	for _, part := range parts {
		out = append(append(strconv.AppendInt(out, int64(len(part)), 10), ':'), part...)
	}
	return out
}
