package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/config/source"
)

// readKeys reads the file of keys and its text.
func readKeys(path string) ([]settings.APIKey, []byte, error) {
	data, err := settings.ReadKeys(path)
	if err != nil {
		return nil, nil, err
	}
	keys, problems := settings.ParseKeys(path, data)
	return keys, data, problems.Err()
}

// changeKeys replaces the file by what change returns, as a whole or not at all, and durably. A missing
// file is empty. Another process cannot change it at the same time, which could restore a revoked key.
func changeKeys(path string, change func([]byte, []settings.APIKey) ([]byte, error)) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for {
		held, err := holdKeys(path)
		if err != nil {
			return err
		}
		if held == nil {
			err = putKeys(path, change, durable.NewFile)
			if errors.Is(err, fs.ErrExist) { // another process was faster
				continue
			}
			return err
		}
		return errors.Join(putKeys(path, change, durable.WriteFile), held.Close())
	}
}

// holdKeys locks the file that has the name now; nil if there is none. The lock belongs to the file, so
// it ends with its process, and nothing has to be cleaned up.
func holdKeys(path string) (*os.File, error) {
	for {
		file, err := source.OpenFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("change API keys: %w", err)
		}
		if lockFile(file) {
			return nil, errors.Join(fmt.Errorf("change API keys: %s is being changed by another process; try again", path), file.Close())
		}
		mine, err := file.Stat()
		if now, e := os.Stat(path); err == nil && e == nil && os.SameFile(mine, now) {
			return file, nil
		}
		if err := errors.Join(err, file.Close()); err != nil { // it was replaced before it was locked
			return nil, fmt.Errorf("change API keys: %w", err)
		}
	}
}

// putKeys reads the file, changes it, and writes it with put.
func putKeys(path string, change func([]byte, []settings.APIKey) ([]byte, error), put func(string, func(io.Writer) error) error) error {
	keys, data, err := readKeys(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if data, err = change(data, keys); err != nil {
		return err
	}
	if err := put(path, func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	}); err != nil {
		return fmt.Errorf("change API keys: %w", err)
	}
	return nil
}

// addKey appends an entry. It keeps the text of the others if the list is in block form.
func addKey(path string, data []byte, keys []settings.APIKey, key settings.APIKey) ([]byte, error) {
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

// removeKey removes an entry with the comments inside it.
func removeKey(path string, data []byte, keys []settings.APIKey, at int) ([]byte, error) {
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

// dashIndent returns what precedes the dash of an entry, if that is only white space.
func dashIndent(data []byte, key settings.APIKey) (string, bool) {
	lines := strings.Split(string(data), "\n")
	if key.Pos.Line < 1 || key.Pos.Line > len(lines) {
		return "", false
	}
	indent, _, ok := strings.Cut(lines[key.Pos.Line-1], "-")
	return indent, ok && strings.TrimLeft(indent, " ") == ""
}

// entryText formats an entry in block form. JSON's quotes are valid in YAML.
func entryText(key settings.APIKey, indent string) string {
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

// rewriteKeys writes the file anew, for lists in another form: JSON, or [brackets].
func rewriteKeys(path string, keys []settings.APIKey) ([]byte, error) {
	text := []byte("keys:\n")
	for _, key := range keys {
		text = append(text, entryText(key, "")...)
	}
	if sameKeys(path, text, keys) {
		return text, nil
	}
	_, problems := settings.ParseKeys(path, text)
	return nil, fmt.Errorf("the file would be wrong: %w", problems)
}

// sameKeys reports whether a text holds exactly these keys.
func sameKeys(path string, text []byte, want []settings.APIKey) bool {
	got, problems := settings.ParseKeys(path, text)
	return problems.Err() == nil && slices.EqualFunc(got, want, func(a, b settings.APIKey) bool {
		return entryText(a, "") == entryText(b, "")
	})
}
