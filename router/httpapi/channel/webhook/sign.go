package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Secret is the key of a signature.
type Secret []byte

// ParseSecret reads "whsec_" and the key in base64. The specification asks for at least 24 bytes.
func ParseSecret(text string) (Secret, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, "whsec_"))
	if err != nil || !strings.HasPrefix(text, "whsec_") || len(key) < 24 {
		return nil, errors.New(`it must be "whsec_" and at least 24 bytes in base64; make one with: echo whsec_$(openssl rand -base64 32)`)
	}
	return key, nil
}

const (
	headerID        = "Webhook-Id"
	headerTime      = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"
	// oldest is the greatest difference between a signed time and ours.
	oldest = 5 * time.Minute
)

// signature returns a signature of version v1: HMAC-SHA256.
func (s Secret) signature(id, stamp string, body []byte) string {
	mac := hmac.New(sha256.New, s)
	mac.Write([]byte(id + "." + stamp + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Sign returns the headers of a request.
func (s Secret) Sign(id string, body []byte, now time.Time) http.Header {
	stamp := strconv.FormatInt(now.Unix(), 10)
	h := http.Header{}
	h.Set(headerID, id)
	h.Set(headerTime, stamp)
	h.Set(headerSignature, s.signature(id, stamp, body))
	return h
}

var errUnsigned = errors.New("the request has no valid signature, or its time is too far from ours")

// Verify checks the headers of a request. There may be several signatures while a secret changes.
func (s Secret) Verify(h http.Header, body []byte, now time.Time) error {
	id, stamp := h.Get(headerID), h.Get(headerTime)
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if id == "" || err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > oldest {
		return errUnsigned
	}
	want, found := []byte(s.signature(id, stamp, body)), false
	for one := range strings.FieldsSeq(h.Get(headerSignature)) {
		found = hmac.Equal(want, []byte(one)) || found
	}
	if !found {
		return errUnsigned
	}
	return nil
}
