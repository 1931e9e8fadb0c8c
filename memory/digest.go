package memory

import (
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
type Digests struct{ key []byte }

// NewDigests returns digests under a key.
func NewDigests(key []byte) *Digests { return &Digests{key: key} }

// digestKey names the key of a store. It is kept in the store, sealed as the texts are, and not beside it: who
// can read it can read the texts. So it reaches all replicas and every backup, and transfer.Copy copies it.
const digestKey = "digests/1"

// OpenDigests returns the digests of a store; the first time it makes their key.
func OpenDigests(ctx context.Context, store Own) (*Digests, error) {
	key, err := readDigestKey(ctx, store)
	if err == nil && key == nil {
		secret := make([]byte, sha256.Size)
		_, _ = rand.Read(secret) // it never fails
		if err = store.AddMeta(ctx, digestKey, secret); err == nil {
			key, err = readDigestKey(ctx, store) // another process may do it at the same time: the first one counts
		}
	}
	if err == nil && key == nil {
		err = ErrCorrupt
	}
	if errors.Is(err, ErrCorrupt) {
		return nil, fmt.Errorf("the key of digests: %w; take the row digests/1 of the table meta from a backup, or delete it: then a new key is made, "+
			"and a message that is sent again may be answered again", err)
	}
	if err != nil {
		return nil, fmt.Errorf("the key of digests: %w", err)
	}
	return NewDigests(key), nil
}

// readDigestKey reads the key; nil: there is none.
func readDigestKey(ctx context.Context, store Own) ([]byte, error) {
	values, err := store.Meta(ctx, digestKey)
	if key := values[digestKey]; len(key) == sha256.Size {
		return key, nil
	}
	return nil, err
}

// CopyDigests gives a store the key of another, unless it has one.
func CopyDigests(ctx context.Context, from, to Own) error {
	key, err := readDigestKey(ctx, from)
	if err != nil || key == nil {
		return err
	}
	return to.AddMeta(ctx, digestKey, key)
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
