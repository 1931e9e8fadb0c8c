package settings

import (
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config/source"
)

func TestParseKeys(t *testing.T) {
	one, two := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
	text := "# people\nkeys:\n- name: web\n  hash: \"" + APIKey{Hash: one}.HashText() + "\"\n  user: 007\n  scopes: [chat, read]\n" +
		"- {name: bot, hash: '" + APIKey{Hash: two}.HashText() + "', service: true, scopes: [], agents: [shop], expires: 2027-01-01}\n"
	got, problems := ParseKeys("keys.yaml", []byte(text))
	if problems != nil {
		t.Fatal(problems)
	}
	want := []APIKey{
		{Name: "web", Hash: one, User: "007", Scopes: []string{"chat", "read"}, Pos: source.Position{File: "keys.yaml", Line: 3, Column: 3}},
		{Name: "bot", Hash: two, Service: true, Agents: []string{"shop"}, Expires: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), Pos: source.Position{File: "keys.yaml", Line: 7, Column: 3}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ParseKeys (-want +got)\n%s", diff)
	}
	for _, none := range []string{"", "keys:\n", "keys: []\n", `{"keys": []}`} {
		if got, problems := ParseKeys("k", []byte(none)); problems != nil || got != nil {
			t.Errorf("%q: %v, %v", none, got, problems)
		}
	}
}

func TestKeyProblems(t *testing.T) {
	hash := APIKey{Hash: sha256.Sum256(nil)}.HashText()
	entry := func(rest string) string { return "keys:\n- {name: a, hash: '" + hash + "', " + rest + "}\n" }
	tests := []struct{ text, want string }{
		{"key: []", `k:1:1: key: unknown key "key"`},
		{"keys: {}", "keys: is a map, not a list"},
		{"keys: [a]", "is text, not a map"},
		{entry("user: u, scopes: [chat], scope: x"), `unknown key "scope", did you mean "scopes"?`},
		{entry("user: u, scopes: [chatt]"), `keys[0].scopes[0]: unknown scope "chatt", did you mean "chat"?`},
		{entry("user: u"), "scopes is missing"},
		{entry("user: u, scopes: chat"), "is text, not a list"},
		{entry("scopes: [chat]"), "belongs to a user or to a service"},
		{entry("user: u, service: true, scopes: [chat]"), "belongs to a user or to a service"},
		{entry("service: maybe, scopes: [chat]"), "is not true or false"},
		{entry("user: $library, scopes: [chat]"), "begins with $"},
		{entry("user: '', scopes: [chat]"), "an id has 1 to 200 bytes"},
		{entry("user: " + strings.Repeat("u", 201) + ", scopes: [chat]"), "an id has 1 to 200 bytes"},
		{entry("user: [u], scopes: [chat]"), "is a list, not text"},
		{entry("user: u, scopes: [chat], expires: soon"), `"soon" is no date; write 2027-01-01`},
		{entry("user: u, scopes: [chat], agents: shop"), "is text, not a list"},
		{"keys: [{name: a, hash: 'md5:" + secretHex + "', user: u, scopes: [chat]}]", "hash is not sha256: and 64"},
		{"keys: [{name: a, user: u, scopes: [chat]}]", "hash is not sha256: and 64"},
		{"keys: [{hash: '" + hash + "', user: u, scopes: [chat]}]", "name is missing"},
		{entry("user: u, scopes: [chat]") + "- {name: a, hash: '" + hash + "', user: v, scopes: [chat]}\n", `"a" is there already, at line 2`},
		{entry("user: u, scopes: [chat]") + "- {name: b, hash: '" + hash + "', user: v, scopes: [chat]}\n", `is that of "a", at line 2`},
	}
	for _, test := range tests {
		_, problems := ParseKeys("k", []byte(test.text))
		if text := problems.Error(); !strings.Contains(text, test.want) || strings.Contains(text, secretHex) || strings.Contains(text, hash) {
			t.Errorf("%s\ngives %s\nwant %s", test.text, text, test.want)
		}
	}
}

// secretHex stands for a hash: no problem quotes one.
const secretHex = "c0ffee4711"

// Whatever the file holds: problems, or keys that each belong to somebody and have scopes
// that exist.
func FuzzParseKeys(f *testing.F) {
	hash := APIKey{}.HashText()
	f.Add([]byte("keys:\n- {name: a, hash: '" + hash + "', user: u, scopes: [chat]}\n"))
	f.Add([]byte(`{"keys":[{"name":"a","hash":"` + hash + `","service":true,"scopes":["read"],"expires":"2027-01-01"}]}`))
	f.Add([]byte("keys: [&a {name: x}, *a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, problems := ParseKeys("k", data)
		if problems.Err() != nil {
			return
		}
		for _, k := range keys {
			if k.Name == "" || k.Service == (k.User != "") || strings.HasPrefix(k.User, "$") {
				t.Fatalf("took %+v", k)
			}
			for _, s := range k.Scopes {
				if s != "chat" && s != "read" && s != "admin" {
					t.Fatalf("took the scope %q", s)
				}
			}
		}
	})
}
