package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/config"
)

// readKeys reads the file of keys and its text.
func readKeys(path string) ([]config.APIKey, []byte, error) {
	data, err := config.ReadKeys(path)
	if err != nil {
		return nil, nil, err
	}
	keys, problems := config.ParseKeys(path, data)
	return keys, data, problems.Err()
}

// changeKeys replaces the file by what change makes of it, whole or not at all. A file that
// is not there yet is empty. The new file, which must not exist, keeps a second change off
// meanwhile: it could bring a revoked key back.
func changeKeys(path string, change func([]byte, []config.APIKey) ([]byte, error)) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	next := path + ".new"
	file, err := os.OpenFile(next, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is being changed; if not, remove %s", path, next)
	}
	if err != nil {
		return fmt.Errorf("change API keys: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(next))
		}
	}()
	keys, data, err := readKeys(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, file.Close())
	}
	if data, err = change(data, keys); err != nil {
		return errors.Join(err, file.Close())
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("change API keys: %w", err)
	}
	return os.Rename(next, path)
}

// addKey puts an entry behind the others, and leaves their text as it is where the list is
// in block form.
func addKey(path string, data []byte, keys []config.APIKey, key config.APIKey) ([]byte, error) {
	want := append(slices.Clone(keys), key)
	indent, ok := "", true
	switch {
	case len(keys) > 0:
		indent, ok = dashIndent(data, keys[0])
	case len(bytes.TrimSpace(data)) == 0:
		data = []byte("# API keys of slotway serve, by their hashes (slotway keys new, list, revoke).\nkeys:\n")
	}
	if ok {
		text := bytes.TrimRight(data, "\n")
		text = append(slices.Clone(text), '\n')
		if text = append(text, entryText(key, indent)...); sameKeys(path, text, want) {
			return text, nil
		}
	}
	return rewriteKeys(path, want)
}

// removeKey takes an entry out, with the comments inside it.
func removeKey(path string, data []byte, keys []config.APIKey, at int) ([]byte, error) {
	want := slices.Delete(slices.Clone(keys), at, at+1)
	if indent, ok := dashIndent(data, keys[at]); ok {
		lines := strings.SplitAfter(string(data), "\n")
		from := keys[at].Pos.Line - 1
		to := from + 1
		for to < len(lines) && strings.HasPrefix(lines[to], indent+" ") {
			to++
		}
		text := []byte(strings.Join(slices.Delete(lines, from, to), ""))
		if sameKeys(path, text, want) {
			return text, nil
		}
	}
	return rewriteKeys(path, want)
}

// dashIndent is what stands before the dash of an entry, if that is all.
func dashIndent(data []byte, key config.APIKey) (string, bool) {
	lines := strings.Split(string(data), "\n")
	if key.Pos.Line < 1 || key.Pos.Line > len(lines) {
		return "", false
	}
	indent, _, ok := strings.Cut(lines[key.Pos.Line-1], "-")
	return indent, ok && strings.TrimLeft(indent, " ") == ""
}

// entryText is an entry in block form. JSON's quotes are YAML's too.
func entryText(key config.APIKey, indent string) string {
	lines := []string{"- name: " + quoted(key.Name), "  hash: " + quoted(key.HashText())}
	if key.Service {
		lines = append(lines, "  service: true")
	} else {
		lines = append(lines, "  user: "+quoted(key.User))
	}
	lines = append(lines, "  scopes: "+quoted(append([]string{}, key.Scopes...)))
	if len(key.Agents) > 0 {
		lines = append(lines, "  agents: "+quoted(key.Agents))
	}
	if !key.Expires.IsZero() {
		lines = append(lines, "  expires: "+quoted(key.Expires.UTC().Format(time.RFC3339)))
	}
	return indent + strings.Join(lines, "\n"+indent) + "\n"
}

func quoted(v any) string {
	data, err := json.Marshal(v)
	if err != nil { // texts and lists of them always encode
		panic(err)
	}
	return string(data)
}

// rewriteKeys is the file anew, for lists in another form: JSON, or [brackets].
func rewriteKeys(path string, keys []config.APIKey) ([]byte, error) {
	text := []byte("keys:\n")
	for _, key := range keys {
		text = append(text, entryText(key, "")...)
	}
	if sameKeys(path, text, keys) {
		return text, nil
	}
	_, problems := config.ParseKeys(path, text)
	return nil, fmt.Errorf("the file would be wrong: %w", problems)
}

// sameKeys reports whether a text means these keys and nothing else.
func sameKeys(path string, text []byte, want []config.APIKey) bool {
	got, problems := config.ParseKeys(path, text)
	return problems.Err() == nil && slices.EqualFunc(got, want, func(a, b config.APIKey) bool {
		return entryText(a, "") == entryText(b, "")
	})
}
