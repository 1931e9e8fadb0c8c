package openai

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/printable"
)

// Prefixes of OpenAI's ids.
const (
	completionPrefix   = "chatcmpl-"
	responsePrefix     = "resp_"
	messagePrefix      = "msg_"
	conversationPrefix = "conv_"
)

// ref is a turn of one of the caller's sessions.
type ref struct {
	session string
	turn    int64
}

// id returns the turn's id for clients. It holds only what they know.
func (r ref) id(prefix string) string {
	return prefix + base64.RawURLEncoding.EncodeToString([]byte(r.session+":"+strconv.FormatInt(r.turn, 10)))
}

// previous returns the id of the response before it in its conversation; "": none.
func (r ref) previous() string {
	if r.turn == 1 {
		return ""
	}
	return ref{r.session, r.turn - 1}.id(responsePrefix)
}

// parseRef reads the id of a response.
func parseRef(id string) (ref, bool) {
	data, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(id, responsePrefix))
	at := strings.LastIndexByte(string(data), ':')
	if err != nil || at < 0 {
		return ref{}, false
	}
	turn, err := strconv.ParseInt(string(data[at+1:]), 10, 64)
	r := ref{string(data[:at]), turn}
	valid := printable.CheckID(r.session) == nil
	return r, err == nil && turn > 0 && valid && r.id(responsePrefix) == id
}
