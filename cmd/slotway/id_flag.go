package main

import (
	"github.com/spf13/pflag"

	"github.com/slotway/slotway/config/printable"
)

// idFlag is a flag whose value is an id. A wrong one is a usage error, before anything is opened.
type idFlag struct {
	id    *string
	usual string // is accepted, too: "" if the flag is optional
}

// addID adds an idFlag.
func addID(flags *pflag.FlagSet, id *string, name, usual, usage string) {
	*id = usual
	flags.Var(idFlag{id, usual}, name, usage)
}

// Set implements pflag.Value.
func (f idFlag) Set(id string) error {
	if err := printable.CheckID(id); err != nil && id != f.usual {
		return err
	}
	*f.id = id
	return nil
}

// String implements pflag.Value.
func (f idFlag) String() string {
	if f.id == nil { // pflag asks a zero value
		return ""
	}
	return *f.id
}

// Type implements pflag.Value.
func (idFlag) Type() string { return "string" }
