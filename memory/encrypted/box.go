package encrypted

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
)

// mark begins an encrypted text. bound follows in texts that are bound to their whole row; a
// program that knows only the older form takes it for the id of a key that it lacks.
const (
	mark  = "\x1aslotway1:"
	bound = "2."
)

// encryptedName stands for an encrypted map or list.
const encryptedName = "$sealed"

// box encrypts and decrypts the values of one session.
type box struct {
	keys *Keys
	user string
	at   string // the session, which every value is bound to
}

func (k *Keys) box(key memory.Key) box {
	at := strconv.Quote(key.UserID) + strconv.Quote(key.AgentID) + strconv.Quote(key.SessionID)
	return box{k, key.UserID, at}
}

// boundTo returns the additional data of a value. The zero byte, which a quoted key does not have,
// tells it from the legacy form.
func (b box) boundTo(aad string) []byte { return []byte(b.at + "\x00" + aad) }

// seal encrypts data under the additional data of its row; empty data is encrypted, too.
func (b box) seal(data []byte, aad string) (string, error) {
	id := b.keys.list[0].id
	aead, err := b.keys.of(id, b.user)
	if err != nil {
		return "", err
	}
	sealed := aead.Seal(nil, nil, data, b.boundTo(aad))
	return mark + bound + id + ":" + base64.RawStdEncoding.EncodeToString(sealed), nil
}

// open decrypts what seal made. isBound is false for a text that is not in this form: the caller
// decides what it is.
func (b box) open(text, aad string) (data []byte, isBound bool, err error) {
	rest, isBound := strings.CutPrefix(text, mark+bound)
	if !isBound {
		return nil, false, nil
	}
	id, coded, ok := strings.Cut(rest, ":")
	sealed, err := base64.RawStdEncoding.DecodeString(coded)
	if !ok || err != nil {
		return nil, true, tampered(aad)
	}
	aead, err := b.keys.of(id, b.user)
	if err != nil {
		return nil, true, err
	}
	if data, err = aead.Open(nil, nil, sealed, b.boundTo(aad)); err != nil {
		return nil, true, tampered(aad)
	}
	return data, true, nil
}

// tampered names the kind of row alone: the rest of the additional data may be personal.
func tampered(aad string) error { return fmt.Errorf("%w: %s", ErrTampered, kindOfAAD(aad)) }

// kindOfAAD returns the kind of row that additional data begin with.
func kindOfAAD(aad string) string {
	name, _, _ := strings.Cut(aad, " ")
	return name
}
