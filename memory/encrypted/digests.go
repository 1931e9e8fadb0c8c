package encrypted

import (
	"crypto/hkdf"
	"crypto/sha256"

	"github.com/slotway/slotway/memory"
)

var _ memory.DigestSource = (*Store)(nil)

// Digests implements memory.DigestSource: each master key gives a digest key, the first is in use.
func (s *Store) Digests() (*memory.Digests, error) {
	var keys [][]byte
	for _, m := range s.keys.list {
		key, err := hkdf.Key(sha256.New, m.secret, nil, "slotway digests", keyBytes)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return memory.NewDigests(keys...), nil
}
