package sealed

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
)

// mark begins a sealed text: a control character, so that nothing typed looks like one.
const mark = "\x1aslotway1:"

// sealedName stands for a sealed map or list.
const sealedName = "$sealed"

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

// seal encrypts a text for a place within the session; "" stays "".
func (b box) seal(text, place string) (string, error) {
	if text == "" {
		return "", nil
	}
	id := b.keys.list[0].id
	aead, err := b.keys.of(id, b.user)
	if err != nil {
		return "", err
	}
	data := aead.Seal(nil, nil, []byte(text), []byte(b.at+place))
	return mark + id + ":" + base64.RawStdEncoding.EncodeToString(data), nil
}

// open decrypts what seal made. A text without the mark is from before encryption was
// switched on, and comes back as it is.
func (b box) open(text, place string) (string, error) {
	rest, ok := strings.CutPrefix(text, mark)
	if !ok {
		return text, nil
	}
	id, coded, ok := strings.Cut(rest, ":")
	data, err := base64.RawStdEncoding.DecodeString(coded)
	if !ok || err != nil {
		return "", fmt.Errorf("%w: %s", ErrTampered, placeName(place))
	}
	aead, err := b.keys.of(id, b.user)
	if err != nil {
		return "", err
	}
	plain, err := aead.Open(nil, nil, data, []byte(b.at+place))
	if err != nil {
		return "", fmt.Errorf("%w: %s", ErrTampered, placeName(place))
	}
	return string(plain), nil
}

// placeName is the field of a place, without what else it names.
func placeName(place string) string {
	name, _, _ := strings.Cut(place, " ")
	return name
}

// sealJSON turns a JSON text into a JSON string that holds it.
func (b box) sealJSON(text json.RawMessage, place string) (json.RawMessage, error) {
	if len(text) == 0 {
		return text, nil
	}
	sealed, err := b.seal(string(text), place)
	if err != nil {
		return nil, err
	}
	return json.Marshal(sealed)
}

func (b box) openJSON(text json.RawMessage, place string) (json.RawMessage, error) {
	if len(text) == 0 || text[0] != '"' {
		return text, nil
	}
	var sealed string
	if json.Unmarshal(text, &sealed) != nil || !strings.HasPrefix(sealed, mark) {
		return text, nil // a JSON string from before encryption
	}
	plain, err := b.open(sealed, place)
	return json.RawMessage(plain), err
}

// sealMap hides a map in another one of one entry; an empty one stays.
func sealMap[V any](b box, m map[string]V, place string, hold func(string) V) (map[string]V, error) {
	if len(m) == 0 {
		return m, nil
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("%w: %s cannot be written as JSON", memory.ErrBadDelta, placeName(place))
	}
	sealed, err := b.seal(string(text), place)
	if err != nil {
		return nil, err
	}
	return map[string]V{sealedName: hold(sealed)}, nil
}

func openMap[V any](b box, m map[string]V, place string, held func(V) string) (map[string]V, error) {
	v, ok := m[sealedName]
	if !ok || len(m) != 1 {
		return m, nil
	}
	plain, err := b.open(held(v), place)
	if err != nil {
		return nil, err
	}
	var out map[string]V
	if err := json.Unmarshal([]byte(plain), &out); err != nil {
		return nil, fmt.Errorf("%w: %s is not JSON", memory.ErrCorrupt, placeName(place))
	}
	return out, nil
}
