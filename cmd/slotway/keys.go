package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/settings"
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
