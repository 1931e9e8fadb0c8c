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

// Digests makes keyed hashes of ids and names that come from texts: they are stored, logged and
// sent, and without a key the text of a hash could be found by guessing. nil has no key; it is for
// tests and tools that store nothing.
type Digests struct {
	key     []byte
	renewed bool
}

// NewDigests returns digests under a key.
func NewDigests(key []byte) *Digests { return &Digests{key: key} }

// digestKey names the session whose journal holds the key of a store. The session is never begun,
// because such a session is in no listing and no export, and is never pruned. The key is kept in
// the store, sealed as the texts are, and not beside it: who can read it can read the texts. So it reaches all replicas and every backup, and transfer.Copy copies it. A
// damaged key stays there, to be compared with a backup; the next one is in a session of its own.
func digestKey(n int) Key {
	id := "digests"
	if n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	return Key{UserID: "$slotway", AgentID: "$slotway", SessionID: id}
}

// maxDigestKeys is how many damaged keys a store may have before OpenDigests fails.
const maxDigestKeys = 16

// OpenDigests returns the digests of a store; the first time it makes their key. A damaged key is
// lost, and the store goes on with a new one: Renewed reports that, once.
func OpenDigests(ctx context.Context, store SessionStore) (*Digests, error) {
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

// readDigestKey finds the row of the key in use, and its number; nil: a key must be made under
// that number.
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

// secretOf returns the key that a row holds; nil: it cannot be read.
func secretOf(step *Step) []byte {
	var text string
	err := json.Unmarshal(step.Args, &text)
	secret, bad := hex.DecodeString(text)
	if err != nil || bad != nil || len(secret) != sha256.Size {
		return nil
	}
	return secret
}

// Renewed reports that the key of the store was damaged and a new one was just made.
func (d *Digests) Renewed() bool { return d != nil && d.renewed }

// CopyDigests gives a store the key of another, unless it has one.
func CopyDigests(ctx context.Context, from, to SessionStore) error {
	step, _, err := readDigestKey(ctx, from)
	if err != nil || step == nil {
		return err
	}
	if err := to.Start(ctx, digestKey(1), 0, *step); err != nil && !errors.Is(err, ErrStarted) {
		return err
	}
	return nil
}

// Of is the digest of parts: different lists give different digests.
func (d *Digests) Of(parts ...string) []byte {
	mac := d.Hash()
	mac.Write(LengthPrefixed(parts...))
	return mac.Sum(nil)
}

// Hex is Of as 64 digits.
func (d *Digests) Hex(parts ...string) string { return hex.EncodeToString(d.Of(parts...)) }

// UUID is Of as a UUID of version 8.
func (d *Digests) UUID(parts ...string) string {
	id := uuid.UUID(d.Of(parts...)[:16])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return id.String()
}

// Hash returns the hash of Of, which is to be given [LengthPrefixed] parts. It is for lists that are
// hashed at several of their lengths.
func (d *Digests) Hash() hash.Hash {
	if d == nil {
		return hmac.New(sha256.New, nil)
	}
	return hmac.New(sha256.New, d.key)
}

// LengthPrefixed joins parts so that different lists give different bytes.
func LengthPrefixed(parts ...string) []byte {
	var out []byte
	for _, part := range parts {
		out = append(append(strconv.AppendInt(out, int64(len(part)), 10), ':'), part...)
	}
	return out
}
