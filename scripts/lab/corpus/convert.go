package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// family is a data set: the time at which its conversations take place, and the converter of its
// bots. The converter makes one agent of one or more folders.
type family struct {
	clock   time.Time
	convert func(name string, dirs []string) (*bot, error)
}

// families are the data sets by the first word of their bots' names.
var families = map[string]family{
	"sgd":  {sgdClock, convertSGD},
	"star": {starClock, convertSTAR},
	"rasa": {rasaClock, convertRasa},
	"tau":  {tauClock, convertTau},
}

// convert makes the agent of a bot. A key with a colon names a conversation over several services,
// "sgd_multi:Banks_2+Weather_1": their folders become one agent.
func convert(dir, key string) (*bot, time.Time, error) {
	name, domain, _ := strings.Cut(key, ":")
	prefix, _, _ := strings.Cut(name, "_")
	f, ok := families[prefix]
	if !ok {
		return nil, time.Time{}, fmt.Errorf("no converter for bot %s", key)
	}
	dirs := []string{filepath.Join(dir, name)}
	if domain != "" {
		dirs = nil
		for part := range strings.SplitSeq(domain, "+") {
			dirs = append(dirs, filepath.Join(dir, prefix+"_"+strings.ToLower(part)))
		}
	}
	b, err := f.convert(strings.NewReplacer(":", "-", "+", "-").Replace(key), dirs)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("convert bot %s: %w", key, err)
	}
	return b, f.clock, nil
}
