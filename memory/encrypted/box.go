package encrypted

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
)

// mark begins an encrypted text.
const mark = sealPrefix + "1:"

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

// boundTo returns the additional data of a value.
func (b box) boundTo(aad string) []byte { return []byte(b.at + aad) }

// seal encrypts data under the additional data of its row; empty data is encrypted, too.
func (b box) seal(data []byte, aad string) (string, error) {
	id := b.keys.list[0].id
	aead, err := b.keys.of(id, b.user)
	if err != nil {
		return "", err
	}
	ciphertext := aead.Seal(nil, nil, data, b.boundTo(aad))
	return mark + id + ":" + base64.RawStdEncoding.EncodeToString(ciphertext), nil
}

// open decrypts what seal made. ErrUnencrypted: the text is not in its form.
func (b box) open(text, aad string) (data []byte, err error) {
	rest, encrypted := strings.CutPrefix(text, mark)
	if !encrypted {
		return nil, fmt.Errorf("%w (%s)", ErrUnencrypted, kindOfAAD(aad))
	}
	id, coded, ok := strings.Cut(rest, ":")
	ciphertext, err := base64.RawStdEncoding.DecodeString(coded)
	if !ok || err != nil {
		return nil, tampered(aad)
	}
	aead, err := b.keys.of(id, b.user)
	if err != nil {
		return nil, err
	}
	if data, err = aead.Open(nil, nil, ciphertext, b.boundTo(aad)); err != nil {
		return nil, tampered(aad)
	}
	return data, nil
}

// tampered names the kind of row alone: the rest of the additional data may be personal.
func tampered(aad string) error { return fmt.Errorf("%w: %s", ErrTampered, kindOfAAD(aad)) }

// kindOfAAD returns the kind of row that additional data begin with.
func kindOfAAD(aad string) string {
	name, _, _ := strings.Cut(aad, " ")
	return name
}
