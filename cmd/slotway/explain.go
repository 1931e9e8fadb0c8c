package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/slotway/slotway/classifier/extract"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/router/replay"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// referenceLibrary collects what every package says about its keys.
func referenceLibrary() *reference.Library {
	return reference.NewLibrary(config.Reference(), settings.Reference(), replay.Reference(), expr.Reference(), extract.Reference(), phrase.Reference(), tools.Reference(), telemetry.Reference())
}

func newExplain() *cobra.Command {
	var e explaining
	cmd := &cobra.Command{
		Use:   "explain [KEY]",
		Short: "Explain a key of an agent, the settings or a replay file: type, meaning, default, example",
		Example: `  slotway explain                          # the areas
  slotway explain intents.plan.call        # a key of an agent's file
  slotway explain memory.ttl               # a setting
  slotway explain --recursive params       # a group and every key below it`,
		Args: atMostOneArg("a key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			e.library = referenceLibrary()
			query := ""
			if len(args) > 0 {
				query = args[0]
			}
			return e.run(cmd.OutOrStdout(), query)
		},
	}
	cmd.Flags().BoolVar(&e.json, "json", false, "JSON instead of text")
	cmd.Flags().BoolVar(&e.recursive, "recursive", false, "every key below the key, one line each; without a key all of them")
	return cmd
}

// explaining is one run of the command.
type explaining struct {
	library         *reference.Library
	json, recursive bool
}

func (e *explaining) run(out io.Writer, query string) error {
	page := &reference.Page{Library: e.library, Width: columns(out)}
	area := e.library.Area(query)
	var entry *reference.Entry
	if query != "" && (area == nil || e.library.Entry(query) != nil) { // agent and types are keys as well
		found, err := e.library.Find(query)
		if err != nil {
			return &usageError{err}
		}
		entry = found
	}
	switch {
	case e.json:
		return e.printJSON(out, area, entry)
	case e.recursive && entry != nil:
		return page.Tree(out, entry.Key)
	case e.recursive:
		return page.Tree(out, query)
	case entry != nil:
		return page.Entry(out, entry)
	case area != nil:
		return page.Area(out, area)
	}
	return page.Areas(out)
}

// explained is the JSON form: one entry with the keys below it, or the entries of an area or of all.
type explained struct {
	*reference.Entry
	Keys []*reference.Entry `json:"keys"`
}

func (e *explaining) printJSON(out io.Writer, area *reference.Area, entry *reference.Entry) error {
	v := explained{Entry: entry, Keys: []*reference.Entry{}}
	switch {
	case entry != nil:
		v.Keys = append(v.Keys, e.library.Below(entry.Key)...)
	case area != nil:
		v.Keys = append(v.Keys, area.Entries...)
	default:
		for _, a := range e.library.Areas {
			v.Keys = append(v.Keys, a.Entries...)
		}
	}
	if err := json.NewEncoder(out).Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// usualColumns is the width for an output that is no terminal.
const usualColumns = 100

// columns returns the width to which text for out is wrapped: COLUMNS, else that of the terminal.
func columns(out io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f := screenOf(out); f != nil {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return usualColumns
}
