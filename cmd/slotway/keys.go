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

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/router/httpapi/access"
)

// keysFile holds what the keys commands share.
type keysFile struct {
	flags *flags
	file  string
}

func newKeys(f *flags) *cobra.Command {
	k := &keysFile{flags: f}
	cmd := &cobra.Command{
		Use: "keys",
		Example: `  slotway keys new --name web --service --file keys.yaml
  slotway keys list --file keys.yaml`,
		Short: "Manage the API keys of the HTTP service: new, list, revoke",
	}
	cmd.PersistentFlags().StringVar(&k.file, "file", "", "the file of keys (default: server.auth.keys_file)")
	return group(cmd, k.create(), k.list(), k.revoke())
}

// path returns the file of keys.
func (k *keysFile) path() (string, error) {
	if k.file != "" {
		return k.file, nil
	}
	settings, err := k.flags.settings()
	if err != nil {
		return "", err
	}
	if settings.Server.Auth.KeysFile == "" {
		return "", usagef("which file? set server.auth.keys_file or give --file")
	}
	return settings.Server.Auth.KeysFile, nil
}

func (k *keysFile) create() *cobra.Command {
	var key settings.APIKey
	var expires string
	cmd := &cobra.Command{
		Use: "new", Args: noArgs,
		Example: `  slotway keys new --name ann --user ann --file keys.yaml
  slotway keys new --name web --service --scopes chat,read,admin --expires 2030-01-01 --file keys.yaml`,
		Short: "Create a key, print it once, and add its hash to the file",
	}
	addID(cmd.Flags(), &key.Name, "name", "", "name of the key; required")
	addID(cmd.Flags(), &key.User, "user", "", "the user whose conversations it sees")
	cmd.Flags().BoolVar(&key.Service, "service", false, "for a service that names the user of each request")
	cmd.Flags().StringSliceVar(&key.Scopes, "scopes", []string{"chat", "read"}, "scopes of the key: chat, read, admin, handoff, metrics")
	cmd.Flags().StringSliceVar(&key.Agents, "agents", nil, "agents that the key may use (default: all)")
	cmd.Flags().StringVar(&expires, "expires", "", "day on which the key expires, such as 2027-01-01 (default: never)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if key.Name == "" || key.Service == (key.User != "") {
			return usagef("give --name and either --user or --service")
		}
		if expires != "" {
			at, err := settings.ParseExpiry(expires)
			if err != nil {
				return usagef("--expires: %w", err)
			}
			key.Expires = at
		}
		path, err := k.path()
		if err != nil {
			return err
		}
		text, hash := access.NewKey()
		key.Hash = hash
		if err := changeKeys(path, func(data []byte, keys []settings.APIKey) ([]byte, error) { return addKey(path, data, keys, key) }); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "This is the only time that the key is shown. Its hash is in %s.\n", path)
		fmt.Fprintln(cmd.OutOrStdout(), text)
		return nil
	}
	return cmd
}

// keyLine is a key in a list, without its hash.
type keyLine struct {
	Name    string     `json:"name"`
	User    string     `json:"user,omitempty"`
	Service bool       `json:"service,omitempty"`
	Scopes  []string   `json:"scopes"`
	Agents  []string   `json:"agents,omitempty"`
	Expires *time.Time `json:"expires,omitempty"`
	Expired bool       `json:"expired,omitempty"`
}

func (k *keysFile) list() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Example: "  slotway keys list --file keys.yaml", Short: "List the keys of the file, without their hashes", Args: noArgs}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object per line instead of a table")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		path, err := k.path()
		if err != nil {
			return err
		}
		keys, _, err := readKeys(path)
		if err != nil {
			return err
		}
		lines := make([]keyLine, len(keys))
		for i, key := range keys {
			lines[i] = keyLine{Name: key.Name, User: key.User, Service: key.Service, Scopes: append([]string{}, key.Scopes...), Agents: key.Agents}
			if !key.Expires.IsZero() {
				lines[i].Expires, lines[i].Expired = &key.Expires, !time.Now().Before(key.Expires)
			}
		}
		return listing(cmd.OutOrStdout(), asJSON, "NAME\tUSER\tSCOPES\tAGENTS\tEXPIRES", lines, (*keyLine).row)
	}
	return cmd
}

func (l *keyLine) row() []any {
	user, agents, expires := l.User, "all", "never"
	if l.Service {
		user = "(service)"
	}
	if len(l.Agents) > 0 {
		agents = strings.Join(l.Agents, ",")
	}
	if l.Expires != nil {
		expires = l.Expires.UTC().Format(time.DateOnly)
	}
	if l.Expired {
		expires += " (expired)"
	}
	return []any{l.Name, user, strings.Join(l.Scopes, ","), agents, expires}
}

func (k *keysFile) revoke() *cobra.Command {
	cmd := &cobra.Command{
		Use: "revoke NAME", Args: exactArgs(1, "the name of a key"),
		Example: "  slotway keys revoke web --file keys.yaml",
		Short:   "Remove a key from the file; a running service refuses it within about a second",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path, err := k.path()
		if err != nil {
			return err
		}
		err = changeKeys(path, func(data []byte, keys []settings.APIKey) ([]byte, error) {
			at := slices.IndexFunc(keys, func(key settings.APIKey) bool { return key.Name == args[0] })
			if at < 0 {
				return nil, fmt.Errorf("%s has no key %q; slotway keys list shows them", path, args[0])
			}
			return removeKey(path, data, keys, at)
		})
		if err == nil {
			fmt.Fprintln(cmd.OutOrStdout(), "revoked")
		}
		return err
	}
	return cmd
}

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
