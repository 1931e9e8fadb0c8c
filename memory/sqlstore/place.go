package sqlstore

import (
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
	"github.com/slotway/slotway/memory/seal"
)

// place is where the rows of a session lie, and what hides their content. A row has two guards: the
// checksum finds damage without a key, and the seal, where there is one, finds forgery.
type place struct {
	digest digest
	box    seal.Box
}

func (s *Store) placeOf(key memory.Key) place { return place{digestOf(key), s.keys.Box(key.UserID)} }

// hide seals columns of a row. sum adds all that the checksum of the row covers, the columns among it.
func (p *place) hide(kind string, sum func(s *record.Sum), columns ...*[]byte) error {
	return p.box.Seal(kind, bytesIn(sum), columns...)
}

// show opens what hide has sealed. An error names the session, as that of a checksum does.
func (p *place) show(kind string, sum func(s *record.Sum), columns ...*[]byte) error {
	err := p.box.Open(kind, bytesIn(sum), columns...)
	if seal.Damaged(err) {
		return fmt.Errorf("%w, session %s", err, p.digest)
	}
	return err
}

func bytesIn(sum func(s *record.Sum)) func() []byte {
	return func() []byte {
		var s record.Sum
		sum(&s)
		return s.Bytes()
	}
}
