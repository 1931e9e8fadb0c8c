package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/router/httpapi/access"
)

// command runs slotway and returns what it said.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestKeysFromMakingToRevoking(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.yaml")
	make := func(args ...string) string {
		t.Helper()
		code, out, errs := command(t, append([]string{"keys", "new", "--file", path}, args...)...)
		key := strings.TrimSpace(out)
		if code != exitOK || !strings.HasPrefix(key, "slotway_") || strings.Contains(errs, key) {
			t.Fatalf("keys new %v: %d, %q, %q", args, code, out, errs)
		}
		return key
	}
	one := make("--name", "web", "--user", "alice", "--expires", "2027-01-01")
	two := make("--name", "bot", "--service", "--scopes", "chat", "--agents", "shop")
	text, err := os.ReadFile(path)
	if err != nil || bytes.Contains(text, []byte(one)) || bytes.Contains(text, []byte(two)) {
		t.Fatalf("%v: the file is\n%s", err, text)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	code, out, _ := command(t, "keys", "list", "--file", path)
	want := "NAME  USER       SCOPES     AGENTS  EXPIRES\nweb   alice      chat,read  all     2027-01-01\nbot   (service)  chat       shop    never\n"
	if code != exitOK || out != want {
		t.Errorf("list (-want +got)\n%s", cmp.Diff(want, out))
	}
	if code, out, _ := command(t, "keys", "list", "--json", "--set", "server.auth.keys_file="+path); code != exitOK || strings.Contains(out, "sha256") || strings.Count(out, "\n") != 2 {
		t.Errorf("list --json: %d, %s", code, out)
	}
	if _, err := access.OpenKeys(path, nil); err != nil {
		t.Error(err)
	}
	if code, _, _ := command(t, "keys", "revoke", "web", "--file", path); code != exitOK {
		t.Errorf("revoke: %d", code)
	}
	if keys, _, err := readKeys(path); err != nil || len(keys) != 1 || keys[0].Name != "bot" {
		t.Errorf("left are %v, %v", keys, err)
	}
	command(t, "keys", "revoke", "bot", "--file", path)
	make("--name", "again", "--user", "bob") // into the empty list
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*keys.yaml?*")); err != nil || left != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

const hashOne, hashTwo = "sha256:1111111111111111111111111111111111111111111111111111111111111111", "sha256:2222222222222222222222222222222222222222222222222222222222222222"

// TestKeysFileKeepsItsComments: a change of the file of keys touches the entry of that key alone.
func TestKeysFileKeepsItsComments(t *testing.T) {
	entry := func(name, hash string) string {
		return "  - name: " + name + "  # inside " + name + "\n    hash: " + hash + "\n    user: u\n    scopes: [chat]\n"
	}
	head, between, tail := "# head\nkeys:\n", "  # about two\n", "\n# tail\n"
	path := filepath.Join(t.TempDir(), "keys.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func() string {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	whole := head + entry("one", hashOne) + between + entry("two", hashTwo) + tail
	for name, want := range map[string]string{
		"one": head + between + entry("two", hashTwo) + tail,
		"two": head + entry("one", hashOne) + between + tail,
	} {
		write(whole)
		if code, _, errs := command(t, "keys", "revoke", name, "--file", path); code != exitOK || read() != want {
			t.Errorf("revoke %s: %d %s (-want +got)\n%s", name, code, errs, cmp.Diff(want, read()))
		}
	}
	write(whole)
	if code, _, errs := command(t, "keys", "new", "--name", "three", "--user", "u", "--file", path); code != exitOK || !strings.HasPrefix(read(), whole) {
		t.Errorf("new: %d %s\n%s", code, errs, read())
	}
	write(`{"keys": [{"name": "one", "hash": "` + hashOne + `", "user": "u", "scopes": ["chat"]}]}`)
	if code, _, errs := command(t, "keys", "new", "--name", "two", "--user", "u", "--file", path); code != exitOK {
		t.Errorf("new beside JSON: %d %s", code, errs)
	}
	if keys, _, err := readKeys(path); err != nil || len(keys) != 2 {
		t.Errorf("%v, %v", keys, err)
	}
}

func TestKeysTellWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	path, broken := filepath.Join(dir, "keys.yaml"), filepath.Join(dir, "broken.yaml")
	for name, text := range map[string]string{path: "keys:\n- {name: web, hash: '" + hashOne + "', user: u, scopes: [chat]}\n", broken: "kees: []\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"new", "--file", path, "--user", "u"}, exitUsage, "--name"},
		{[]string{"new", "--file", path, "--name", "n"}, exitUsage, "--user or --service"},
		{[]string{"new", "--file", path, "--name", "n", "--user", "u", "--service"}, exitUsage, "--user or --service"},
		{[]string{"new", "--file", path, "--name", "n", "--user", "u", "--expires", "soon"}, exitUsage, "2027-01-01"},
		{[]string{"new", "--file", path, "--name", "n", "--user", "u", "--scopes", "all"}, exitCheck, `unknown scope "all"`},
		{[]string{"new", "--file", path, "--name", "web", "--user", "u"}, exitCheck, `"web" is there already`},
		{[]string{"new", "--file", path, "--name", "n", "--user", "$x"}, exitCheck, "begins with $"},
		{[]string{"new", "--file", broken, "--name", "n", "--user", "u"}, exitCheck, `did you mean "keys"?`},
		{[]string{"new", "--name", "n", "--user", "u"}, exitUsage, "server.auth.keys_file"},
		{[]string{"revoke", "nobody", "--file", path}, exitCheck, `no key "nobody"`},
		{[]string{"list", "--file", filepath.Join(dir, "none")}, exitCheck, "no such file"},
		{[]string{"lost"}, exitUsage, "unknown command"},
	} {
		code, out, errs := command(t, append([]string{"keys"}, test.args...)...)
		if code != test.code || !strings.Contains(errs, test.want) || out != "" {
			t.Errorf("keys %v: %d, %q, %q", test.args, code, out, errs)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*keys.yaml?*")); err != nil || left != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
