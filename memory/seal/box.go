package seal

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// A sealed column begins with mark and the id of its master key. In a store without keys a column that
// only looks so begins with escape, so that nobody takes it for ciphertext.
const (
	prefix = "\x1aslotway"
	mark   = prefix + "1:"
	escape = prefix + "0:"
)

// Box seals and opens rows that belong to one user. Without keys it seals nothing.
type Box struct {
	keys *Keys
	user string
}

// Box returns the box of a user; nil keys are none.
func (k *Keys) Box(user string) Box { return Box{k, user} }

// Seal leaves the first of some columns of a row with what all of them held, and the others empty. kind
// names the row in errors, and bound returns what stays readable of it: it is called when the
// columns are empty. Without keys the columns stay as they are, but for an escape.
func (b Box) Seal(kind string, bound func() []byte, columns ...*[]byte) error {
	first := columns[0]
	if b.keys == nil {
		if bytes.HasPrefix(*first, []byte(prefix)) {
			*first = append([]byte(escape), *first...)
		}
		return nil
	}
	id := b.keys.list[0].id
	aead, err := b.keys.of(id, b.user)
	if err != nil {
		return err
	}
	var hidden []byte
	for _, column := range columns {
		hidden = append(binary.AppendUvarint(hidden, uint64(len(*column))), *column...)
		*column = nil
	}
	*first = aead.Seal([]byte(mark+id), nil, hidden, additional(kind, bound))
	return nil
}

// Open is the reverse of Seal. ErrUnencrypted: the columns are not sealed; ErrNoKey: they are, and there
// is no key; ErrWrongKey: it is another one; ErrTampered: the row is not the one that was sealed.
func (b Box) Open(kind string, bound func() []byte, columns ...*[]byte) error {
	first := columns[0]
	sealed, is := bytes.CutPrefix(*first, []byte(mark))
	switch {
	case b.keys == nil && is:
		return ErrNoKey
	case b.keys == nil:
		*first = bytes.TrimPrefix(*first, []byte(escape))
		return nil
	case !is:
		return fmt.Errorf("%w (%s)", ErrUnencrypted, kind)
	case len(sealed) < 2*idBytes:
		return fmt.Errorf("%w: %s", ErrTampered, kind)
	}
	aead, err := b.keys.of(string(sealed[:2*idBytes]), b.user)
	if err != nil {
		return err
	}
	*first = nil
	hidden, err := aead.Open(nil, nil, sealed[2*idBytes:], additional(kind, bound))
	if err != nil || !unpack(hidden, columns) {
		return fmt.Errorf("%w: %s", ErrTampered, kind)
	}
	return nil
}

func additional(kind string, bound func() []byte) []byte { return append([]byte(kind+" "), bound()...) }

// unpack reads columns one behind the other, each behind its length, and nothing else.
func unpack(hidden []byte, columns []*[]byte) bool {
	for _, column := range columns {
		n, used := binary.Uvarint(hidden)
		if used <= 0 || n > uint64(len(hidden)-used) {
			return false
		}
		end := used + int(n)
		if *column = nil; n > 0 {
			*column = hidden[used:end:end]
		}
		hidden = hidden[end:]
	}
	return len(hidden) == 0
}
