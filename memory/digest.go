package memory

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
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

// digestKeys is how the names of the keys of a store begin. A key is kept in the store, sealed as the texts
// are, and not beside it: who can read it can read the texts. So it reaches all replicas and every
// backup, and transfer.Copy copies it. A damaged key stays there, to be compared with a backup; the next
// one has the next number.
const digestKeys = "digests/"

// maxDigestKeys is how many damaged keys a store may have before OpenDigests fails.
const maxDigestKeys = 16

// OpenDigests returns the digests of a store; the first time it makes their key. A damaged key is
// lost, and the store goes on with a new one: Renewed reports that, once.
func OpenDigests(ctx context.Context, store Own) (*Digests, error) {
	secret := make([]byte, sha256.Size)
	_, _ = rand.Read(secret) // it never fails
	for n := 0; ; n++ {
		key, err := readDigestKey(ctx, store)
		if err == nil && key != nil {
			d := NewDigests(key)
			d.renewed = n > 1 && bytes.Equal(key, secret)
			return d, nil
		}
		if err != nil && !errors.Is(err, ErrCorrupt) || n == maxDigestKeys {
			return nil, fmt.Errorf("the key of digests: %w", cmp.Or(err, ErrUnavailable))
		}
		// Another process may do it at the same time: the first one counts.
		if err := store.AddMeta(ctx, digestKeys+strconv.Itoa(n+1), secret); err != nil {
			return nil, fmt.Errorf("write the key of digests: %w", err)
		}
	}
}

// readDigestKey reads the key in use; nil: there is none.
func readDigestKey(ctx context.Context, store Own) ([]byte, error) {
	values, err := store.Meta(ctx, digestKeys)
	for n := 1; n <= maxDigestKeys; n++ {
		if key := values[digestKeys+strconv.Itoa(n)]; len(key) == sha256.Size {
			return key, nil
		}
	}
	return nil, err
}

// Renewed reports that the key of the store was damaged and a new one was just made.
func (d *Digests) Renewed() bool { return d != nil && d.renewed }

// CopyDigests gives a store the key of another, unless it has one.
func CopyDigests(ctx context.Context, from, to Own) error {
	key, err := readDigestKey(ctx, from)
	if err != nil || key == nil {
		return err
	}
	return to.AddMeta(ctx, digestKeys+"1", key)
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
