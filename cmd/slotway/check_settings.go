package main

import (
	"errors"

	"github.com/slotway/slotway/config"
)

// withSettings adds what is wrong with the settings that the agent would be started with.
func (f *flags) withSettings(problems config.Problems) (config.Problems, error) {
	_, err := f.settings()
	var wrong config.Problems
	if errors.As(err, &wrong) {
		return append(problems, wrong...), nil
	}
	return problems, err
}
