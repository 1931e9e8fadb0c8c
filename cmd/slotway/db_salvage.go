package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/transfer"
)

// salvaged counts what could be read of a damaged store.
type salvaged struct {
	Sessions int          `json:"sessions"`
	Lost     int          `json:"lost"`    // parts that could not be read: messages, turns, calls, descriptions
	Damaged  []memory.Key `json:"damaged"` // the sessions that lack some
	Gone     []goneKey    `json:"gone"`    // those of which nothing could be copied
	Ended    string       `json:"ended,omitempty"`
}

// goneKey is a session that could not be copied, and why.
type goneKey struct {
	memory.Key
	Why string `json:"why"`
}

func (k *databaseFile) salvage() *cobra.Command {
	cmd := &cobra.Command{
		Use: "salvage FILE", Args: exactArgs(1, "the file to write"),
		Example: "  slotway db salvage whole.db && slotway db restore whole.db",
		Short:   "Copy what can be read of a damaged store to a new file; exit code 1 if something could not",
		Long: `Copy what can be read of a damaged store, session by session, to a new FILE. Stop the service first. The
store itself is not changed: a copy of it is read. What cannot be read is left out and counted; a session
whose newest state is lost goes on from the turn before. 'slotway db restore FILE' puts the result in place.

` + dbLong,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path, err := k.path()
		if err != nil {
			return err
		}
		if _, err := os.Stat(args[0]); !errors.Is(err, fs.ErrNotExist) {
			return cmp.Or(err, fmt.Errorf("%s is there already; choose another name", args[0]))
		}
		dir, err := os.MkdirTemp(filepath.Dir(args[0]), "salvage-")
		if err != nil {
			return fmt.Errorf("copy the store: %w", err)
		}
		defer os.RemoveAll(dir)
		work := filepath.Join(dir, "copy.db")
		if err := sqlite.CopyFiles(path, work); err != nil {
			return fmt.Errorf("copy the store: %w", err)
		}
		out, err := k.salvageTo(cmd, work, args[0])
		if err != nil {
			return err
		}
		if err := output(cmd, k.json, out, printSalvaged); err != nil || out.Lost+len(out.Gone) == 0 && out.Ended == "" {
			return err
		}
		return &reported{}
	}
	return cmd
}

// salvageTo reads a store, which it repairs, into a new file.
func (k *databaseFile) salvageTo(cmd *cobra.Command, from, to string) (out *salvaged, err error) {
	source, err := openNamed(cmd, k.flags, "sqlite:"+from, true, false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := openNamed(cmd, k.flags, "sqlite:"+to, false, false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	out = &salvaged{Damaged: []memory.Key{}, Gone: []goneKey{}}
	ctx := cmd.Context()
	_ = memory.CopyDigests(ctx, source, target) // a lost key is made anew
	ended := memory.Walk(ctx, source, memory.Query{}, func(i *memory.Info) error {
		lost, err := salvageSession(ctx, source, target, i.Key)
		switch out.Lost += lost; {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			out.Gone = append(out.Gone, goneKey{i.Key, err.Error()})
			return nil
		case lost > 0:
			out.Damaged = append(out.Damaged, i.Key)
		}
		out.Sessions++
		return nil
	})
	if ended != nil {
		out.Ended = ended.Error()
	}
	return out, cmp.Or(ctx.Err(), memory.MarkRestored(ctx, target, time.Now()))
}

// salvageSession copies one session, and counts the parts of it that are lost.
func salvageSession(ctx context.Context, from, to memory.Backend, key memory.Key) (lost int, err error) {
	isLost, err := from.Renew(ctx, key, time.Now())
	if err != nil {
		return 0, err
	}
	missing := &transfer.MissingParts{}
	err = transfer.Pipe(nil, func(_ io.Reader, w io.Writer) error { return from.Export(ctx, key, io.MultiWriter(w, missing)) }, func(r io.Reader) error {
		_, err := to.Import(ctx, r)
		return err
	})
	if lost = missing.Count(); isLost {
		lost++
	}
	return lost, err
}

func printSalvaged(w io.Writer, out *salvaged) error {
	for _, key := range out.Damaged {
		fmt.Fprintf(w, "in part: session %q of user %q, agent %q\n", key.SessionID, key.UserID, key.AgentID)
	}
	for _, key := range out.Gone {
		fmt.Fprintf(w, "not at all: session %q of user %q, agent %q: %s\n", key.SessionID, key.UserID, key.AgentID, key.Why)
	}
	if out.Ended != "" {
		fmt.Fprintf(w, "the list of sessions could not be read to its end: %s\n", out.Ended)
	}
	_, err := fmt.Fprintf(w, "%d sessions copied, %d of them in part (%d parts are lost), %d not at all\n", out.Sessions, len(out.Damaged), out.Lost, len(out.Gone))
	return err
}
