package access

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"strings"
	"time"
)

// Visit is the scope of a visitor's token: the routes of the web widget and nothing else. It is not
// among Scopes, because no key and no token of an issuer may have it: it goes with a user that the
// service made up.
const Visit Scope = "visit"

const (
	// visitPrefix tells people, secret scanners and us what a token is for.
	visitPrefix = "slotway_visit_"
	// visitorPrefix begins the user ids of visitors.
	visitorPrefix = "web/"
	// visitorBytes is the length of a visitor's number: nobody guesses one of 2^128.
	visitorBytes = 16
	visitBytes   = visitorBytes + 8 + sha256.Size // the number, the end in Unix seconds, the signature
)

// VisitorsOptions configure Visitors; every zero value has a default.
type VisitorsOptions struct {
	Life time.Duration    // of a token; default 30 days
	Now  func() time.Time // the clock; default time.Now
}

// Visitors are people without a credential: each gets a token that makes them a user of their own. The
// token carries everything that it says, so replicas with one key know each other's visitors, and
// visitors who never say anything cost no storage.
type Visitors struct {
	key  []byte
	life time.Duration
	now  func() time.Time
}

// NewVisitors returns Visitors whose tokens are signed with a key.
func NewVisitors(key []byte, opts *VisitorsOptions) *Visitors {
	v := &Visitors{key: key, life: 30 * 24 * time.Hour, now: time.Now}
	if opts != nil && opts.Life > 0 {
		v.life = opts.Life
	}
	if opts != nil && opts.Now != nil {
		v.now = opts.Now
	}
	return v
}

// Admit makes the token of a new visitor, and says when it ends. Nothing prolongs a token: one that is
// stolen is of no use for ever.
func (v *Visitors) Admit() (token string, end time.Time) {
	raw := make([]byte, visitorBytes, visitBytes)
	_, _ = rand.Read(raw) // never fails: https://pkg.go.dev/crypto/rand#Read
	end = v.now().Add(v.life).Truncate(time.Second).UTC()
	raw = binary.BigEndian.AppendUint64(raw, uint64(end.Unix()))
	raw = append(raw, v.sign(raw)...)
	return visitPrefix + base64.RawURLEncoding.EncodeToString(raw), end
}

func (v *Visitors) sign(claim []byte) []byte {
	mac := hmac.New(sha256.New, v.key)
	mac.Write([]byte("slotway visit\x00")) // the key is good for nothing else, even if it is also used elsewhere
	mac.Write(claim)
	return mac.Sum(nil)
}

// Identify returns the visitor of a request. visits is false if the request does not carry a visitor's
// token at all, and is for another Authenticator.
func (v *Visitors) Identify(r *http.Request) (id Identity, visits bool, err error) {
	text, err := bearer(r)
	encoded, visits := strings.CutPrefix(text, visitPrefix)
	if err != nil || !visits {
		return Identity{}, false, nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil || len(raw) != visitBytes {
		return Identity{}, true, ErrNoCredentials
	}
	claim, signature := raw[:visitBytes-sha256.Size], raw[visitBytes-sha256.Size:]
	if !hmac.Equal(signature, v.sign(claim)) {
		return Identity{}, true, ErrNoCredentials
	}
	if v.now().Unix() >= int64(binary.BigEndian.Uint64(claim[visitorBytes:])) {
		return Identity{}, true, ErrNoCredentials
	}
	id = Identity{
		Name: "visitor", Scopes: []Scope{Visit},
		UserID: visitorPrefix + base64.RawURLEncoding.EncodeToString(claim[:visitorBytes]),
	}
	id, err = resolveUser(id, r)
	return id, true, err
}
