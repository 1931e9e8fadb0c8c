package encrypted

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
)

// mark begins a sealed text. bound follows in seals that are bound to their whole row; a
// program that knows only the older ones takes it for the name of a key that it lacks.
const (
	mark  = "\x1aslotway1:"
	bound = "2."
)

// sealedName stands for a sealed map or list.
const encryptedName = "$sealed"

// box seals and opens the values of one session.
type box struct {
	keys *Keys
	user string
	at   string // the session, which every seal is bound to
}

func (k *Keys) box(key memory.Key) box {
	at := strconv.Quote(key.UserID) + strconv.Quote(key.AgentID) + strconv.Quote(key.SessionID)
	return box{k, key.UserID, at}
}

// additional is what a seal is bound to. The zero byte, which a quoted key does not have, tells
// it from that of an older seal.
func (b box) additional(place string) []byte { return []byte(b.at + "\x00" + place) }

// seal encrypts what is known of a place within the session; nothing at all is sealed too.
func (b box) seal(data []byte, place string) (string, error) {
	id := b.keys.list[0].id
	aead, err := b.keys.of(id, b.user)
	if err != nil {
		return "", err
	}
	sealed := aead.Seal(nil, nil, data, b.additional(place))
	return mark + bound + id + ":" + base64.RawStdEncoding.EncodeToString(sealed), nil
}

// open decrypts what seal made. isBound is false for a text that no seal of this form is, which
// is then left to its reader.
func (b box) open(text, place string) (data []byte, isBound bool, err error) {
	rest, isBound := strings.CutPrefix(text, mark+bound)
	if !isBound {
		return nil, false, nil
	}
	id, coded, ok := strings.Cut(rest, ":")
	sealed, err := base64.RawStdEncoding.DecodeString(coded)
	if !ok || err != nil {
		return nil, true, tampered(place)
	}
	aead, err := b.keys.of(id, b.user)
	if err != nil {
		return nil, true, err
	}
	if data, err = aead.Open(nil, nil, sealed, b.additional(place)); err != nil {
		return nil, true, tampered(place)
	}
	return data, true, nil
}

// tampered names the kind of row alone: what else is in a place may be somebody's.
func tampered(place string) error { return fmt.Errorf("%w: %s", ErrTampered, kindOfAAD(place)) }

// placeName is the field of a place, without what else it names.
func kindOfAAD(place string) string {
	name, _, _ := strings.Cut(place, " ")
	return name
}
