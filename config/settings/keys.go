package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/config/source"
)

// maxKeysBytes limits the file of API keys.
const maxKeysBytes = 1 << 20

// keyScopes are the scopes that a key may have. No scope includes another.
var keyScopes = []string{"chat", "read", "admin", "handoff", "metrics"}

// hashPrefix names the hash function of Hash.
const hashPrefix = "sha256:"

// APIKey is one entry of the file of API keys. It does not hold the key itself.
type APIKey struct {
	Name    string            // unique in the file, for limits and logs
	Hash    [sha256.Size]byte // of the key's text
	User    string            // whose conversations it sees; "" for a service
	Service bool              // the request names the user
	Scopes  []string
	Agents  []string  // that it works for; none: every agent
	Expires time.Time // when it stops working; zero: never
	Pos     source.Position
}

// HashText returns the hash in the file's form: sha256:HEX.
func (k APIKey) HashText() string { return hashPrefix + hex.EncodeToString(k.Hash[:]) }

// errKeysOnce is the reason why keys cannot come from a pipe.
var errKeysOnce = errors.New("the keys are looked at ever again, and a pipe is read once; name a file")

// ReadKeys returns the content of the file of API keys at path, for ParseKeys.
func ReadKeys(path string) ([]byte, error) {
	if source.ReadOnce(path) { // the next read would find no keys
		return nil, fmt.Errorf("read API keys: %w", &fs.PathError{Op: "open", Path: path, Err: errKeysOnce})
	}
	data, err := source.ReadFile(path, maxKeysBytes)
	if err != nil {
		return nil, fmt.Errorf("read API keys: %w", err)
	}
	return data, nil
}

// ParseKeys parses a file of API keys in YAML or JSON. name is the file's name in problems; they
// never quote a hash.
//
//	keys:
//	- name: support-web
//	  hash: "sha256:HEX"
//	  user: alice           # or service: true
//	  scopes: [chat, read]
//	  agents: [shop]        # optional
//	  expires: 2027-01-01   # optional; a date, in UTC, or a time as in RFC 3339
func ParseKeys(name string, data []byte) ([]APIKey, source.Problems) {
	root, problems := source.Parse(name, data)
	if problems.Err() != nil {
		return nil, problems
	}
	problems = append(problems, root.UnknownKeys("keys")...)
	list := root.Get("keys")
	if k := list.Kind(); k != source.KindList && k != source.KindNull {
		problems.Add(list, fmt.Sprintf("is %s, not a list", k), "begin each key with \"- name: NAME\"")
	}
	var keys []APIKey
	for _, n := range list.Items() {
		r := keyReader{node: n}
		key := r.read()
		if r.problems == nil {
			r.unique(key, keys)
			keys = append(keys, key)
		}
		problems = append(problems, r.problems...)
	}
	return keys, problems
}

// keyReader reads one entry.
type keyReader struct {
	node     *source.Node
	problems source.Problems
}

func (r *keyReader) read() APIKey {
	r.problems = append(r.problems, r.node.UnknownKeys("name", "hash", "user", "service", "scopes", "agents", "expires")...)
	key := APIKey{
		Name: r.text("name", true), User: r.text("user", false), Hash: r.hash(), Service: r.service(),
		Scopes: r.list("scopes"), Agents: r.list("agents"), Expires: r.expires(), Pos: r.node.Pos(),
	}
	if key.Service == (key.User != "") {
		r.problems.Add(r.node, "belongs to a user or to a service, and to one of them", "write user: NAME or service: true")
	}
	if strings.HasPrefix(key.User, "$") {
		r.problems.Add(r.node.Get("user"), "begins with $, which no user's name may", "choose another")
	}
	if len(key.Scopes) == 0 && r.node.Get("scopes").Kind() != source.KindList {
		r.problems.Add(r.node, "scopes is missing", "write scopes: [chat, read]")
	}
	for i, s := range key.Scopes {
		if !slices.Contains(keyScopes, s) {
			message, hint := source.SplitRemedy(naming.Unknown("scope", s, keyScopes).Error())
			r.problems.Add(r.node.Get("scopes").Items()[i], message, hint)
		}
	}
	return key
}

// unique rejects repeated names and hashes: two entries for one key would leave open what it may
// do.
func (r *keyReader) unique(key APIKey, before []APIKey) {
	for _, b := range before {
		if b.Name == key.Name {
			r.problems.Add(r.node.Get("name"), fmt.Sprintf("%q is there already, at line %d", key.Name, b.Pos.Line), "rename one of them")
		}
		if b.Hash == key.Hash {
			r.problems.Add(r.node.Get("hash"), fmt.Sprintf("is that of %q, at line %d", b.Name, b.Pos.Line), "make another key with slotway keys new")
		}
	}
}

func (r *keyReader) text(key string, needed bool) string {
	n := r.node.Get(key)
	switch text := n.Text(); {
	case n.Kind() == source.KindNull && needed:
		r.problems.Add(r.node, key+" is missing", "write "+key+": NAME")
	case n.Kind() == source.KindNull:
	case n.Kind() == source.KindList || n.Kind() == source.KindMap:
		r.problems.Add(n, fmt.Sprintf("is %s, not text", n.Kind()), "write a single value")
	case printable.CheckID(text) != nil:
		r.problems.Add(n, printable.ErrID.Error(), "choose another")
	default:
		return text
	}
	return ""
}

func (r *keyReader) list(key string) []string {
	n := r.node.Get(key)
	if k := n.Kind(); k != source.KindList && k != source.KindNull {
		r.problems.Add(n, fmt.Sprintf("is %s, not a list", k), "write ["+n.Text()+"]")
	}
	var out []string
	for _, item := range n.Items() {
		if item.Kind() != source.KindText || item.Text() == "" {
			r.problems.Add(item, fmt.Sprintf("is %s, not text", item.Kind()), "put it in quotes")
		}
		out = append(out, item.Text()) // invalid ones too, so that indexes match the file
	}
	return out
}

func (r *keyReader) service() bool {
	n := r.node.Get("service")
	v, ok := n.Bool()
	if !ok && n.Kind() != source.KindNull {
		r.problems.Add(n, "is not true or false", "write true or false")
	}
	return v
}

func (r *keyReader) hash() (out [sha256.Size]byte) {
	n := r.node.Get("hash")
	text, ok := strings.CutPrefix(n.Text(), hashPrefix)
	if raw, err := hex.DecodeString(text); ok && err == nil && len(raw) == len(out) {
		return [sha256.Size]byte(raw)
	}
	at := n
	if at == nil {
		at = r.node
	}
	r.problems.Add(at, fmt.Sprintf("hash is not %s and %d hexadecimal digits", hashPrefix, 2*len(out)), "make a key with slotway keys new")
	return out
}

func (r *keyReader) expires() time.Time {
	n := r.node.Get("expires")
	if n.Kind() == source.KindNull {
		return time.Time{}
	}
	t, err := ParseExpiry(n.Text())
	if err != nil {
		message, hint := source.SplitRemedy(err.Error())
		r.problems.Add(n, message, hint)
	}
	return t
}

// ParseExpiry parses a date, which means its first moment in UTC, or a time in the form of RFC
// 3339.
func ParseExpiry(text string) (time.Time, error) {
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no date; write 2027-01-01", text)
}
