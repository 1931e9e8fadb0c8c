package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/slotway/slotway/memory"
)

// addFilter adds the flags that select messages, of two roles or more. A wrong value is a usage error.
func addFilter(flags *pflag.FlagSet, f *memory.Filter, roles ...memory.Role) {
	var names []string
	for _, role := range roles {
		names = append(names, string(role))
	}
	last := len(names) - 1
	sides := strings.Join(names[:last], ", ")
	flags.Var(flagFunc(func(text string) error {
		role := memory.Role(text)
		if !slices.Contains(roles, role) {
			return fmt.Errorf("the roles are %s and %s", sides, names[last])
		}
		f.Roles = append(f.Roles, role)
		return nil
	}), "role", fmt.Sprintf("only what this side said: %s or %s; may be given again", sides, names[last]))
	flags.Var(moment(&f.Since), "since", "only at or after this day or time (2006-01-02, 2006-01-02T15:04:05Z)")
	flags.Var(moment(&f.Until), "until", "only before this day or time")
	addTags(flags, &f.Tags, "only what has this tag; may be given again: all of them")
	addImportance(flags, &f.MinImportance, "min-importance", "only what is at least as important, 0 to 3")
}

func addTags(flags *pflag.FlagSet, at *[]string, usage string) {
	flags.Var(flagFunc(func(text string) error {
		tags, err := memory.CheckTags(append(slices.Clone(*at), text))
		if err == nil {
			*at = tags
		}
		return err
	}), "tag", usage)
}

func addImportance(flags *pflag.FlagSet, at *int, name, usage string) {
	flags.Var(flagFunc(func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > memory.MaxImportance {
			return fmt.Errorf("it is a whole number from 0 to %d", memory.MaxImportance)
		}
		*at = n
		return nil
	}), name, usage)
}

func addSimilarity(flags *pflag.FlagSet, at **float64) {
	flags.Var(flagFunc(func(text string) error {
		least, err := strconv.ParseFloat(text, 64)
		if err != nil || !(least >= 0 && least <= 1) {
			return errors.New("it is a number from 0 to 1")
		}
		*at = &least
		return nil
	}), "min-similarity", "only what is at least so similar to the text, 0 to 1; without it weak hits are shown, too")
}

// moment is a flag for a day, in UTC like timestamps, or a time.
func moment(at *time.Time) pflag.Value {
	return flagFunc(func(text string) error {
		t, err := memory.ParseMoment(text)
		if err != nil {
			return errors.New("write a day as 2006-01-02 or a time as 2006-01-02T15:04:05Z")
		}
		*at = t
		return nil
	})
}

// instant is a flag for a time with its zone.
func instant(at *time.Time) pflag.Value {
	return flagFunc(func(text string) error {
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return errors.New("write the time as 2006-01-02T15:04:05Z, or with an offset as 2006-01-02T15:04:05+01:00")
		}
		*at = t
		return nil
	})
}

// flagFunc is a flag that a function parses.
type flagFunc func(text string) error

// Set implements pflag.Value.
func (p flagFunc) Set(text string) error { return p(text) }

// String implements pflag.Value.
func (flagFunc) String() string { return "" }

// Type implements pflag.Value.
func (flagFunc) Type() string { return "value" }
