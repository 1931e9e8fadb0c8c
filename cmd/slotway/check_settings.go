package main

import (
	"errors"

	"github.com/slotway/slotway/config/source"
)

// withSettings adds the problems of the settings that the agent would start with.
func (f *flags) withSettings(problems source.Problems) (source.Problems, error) {
	f.warn = nil // they are among the problems
	s, err := f.settings()
	var wrong source.Problems
	if errors.As(err, &wrong) {
		return append(problems, wrong...), nil
	}
	if err == nil {
		problems = append(problems, s.Warnings...)
	}
	return problems, err
}
