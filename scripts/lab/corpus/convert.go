package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// convert makes the agent of a bot. A key with a colon names a conversation over several
// services, "sgd_multi:Banks_2+Weather_1": their agents are made one.
func convert(dir, key string) (b *bot, now time.Time, err error) {
	bot, domain, _ := strings.Cut(key, ":")
	name := strings.NewReplacer(":", "-", "+", "-").Replace(key)
	if family, _, _ := strings.Cut(bot, "_"); family == "sgd" {
		folders := []string{bot}
		if domain != "" {
			folders = nil
			for service := range strings.SplitSeq(domain, "+") {
				folders = append(folders, "sgd_"+strings.ToLower(service))
			}
		}
		var services []*sgdService
		for _, f := range folders {
			s, err := readSGD(filepath.Join(dir, f))
			if err != nil {
				return nil, now, fmt.Errorf("read bot %s: %w", f, err)
			}
			services = append(services, s)
		}
		return convertSGD(name, services), sgdClock, nil
	}
	if strings.HasPrefix(bot, "star_") {
		b, err = convertSTAR(name, dir, starFolders(dir, bot, domain))
		return b, starClock, err
	}
	if strings.HasPrefix(bot, "rasa_") {
		b, err = convertRasa(name, filepath.Join(dir, bot))
		return b, rasaClock, err
	}
	if strings.HasPrefix(bot, "tau_") {
		b, err = convertTau(name, filepath.Join(dir, bot))
		return b, tauClock, err
	}
	return nil, now, fmt.Errorf("no converter for bot %s", key)
}

// starFolders lists the bots of a conversation; those that are not there are left out,
// and the turns that belong to them are skipped.
func starFolders(dir, bot, domain string) []string {
	if domain == "" {
		return []string{bot}
	}
	var out []string
	for task := range strings.SplitSeq(domain, "+") {
		if _, err := os.Stat(filepath.Join(dir, "star_"+task)); err == nil {
			out = append(out, "star_"+task)
		}
	}
	return out
}
