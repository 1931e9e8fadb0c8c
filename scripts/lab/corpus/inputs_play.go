package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/slotway/slotway/config"
)

// inputs plays the scripts of dialogs that are defined in their own lines, each to its own agent.
func (m *measurement) inputs(ctx context.Context, lines []conversation) error {
	s := newScore()
	m.report.bots["inputs"] = s
	for _, c := range lines {
		name := path.Base(c.ID)
		a, err := convertInputs(c.Dialog)
		if none := noEquivalent(""); errors.As(err, &none) {
			s.skip(name + ": " + none.Error())
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
		s.Conversations++
		if err := playInputs(ctx, s, name, a, c); err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
	}
	m.report.total.add(s)
	return nil
}

// choices matches the list that Bot Framework appends to the prompt of a choice.
var choices = regexp.MustCompile(` ?\(1\) .*$`)

// playInputs plays one script. The first message begins the dialog, whatever its words in the
// recording.
func playInputs(ctx context.Context, s *score, name string, a *inputAgent, c conversation) error {
	data, err := json.Marshal(a.file())
	if err != nil {
		return err
	}
	agent, err := config.Parse(name+".yaml", data, "")
	if err != nil {
		return err
	}
	r, err := start(newBot(name), agent, time.Date(2019, time.January, 7, 9, 0, 0, 0, time.UTC))
	if err != nil {
		return err
	}
	good, asked := true, ""
	for i, t := range c.Turns {
		text := t.User
		if i == 0 {
			text = a.opener
		}
		reply, err := r.say(ctx, c.ID, text, nil, nil)
		if err != nil {
			return err
		}
		s.Turns++
		at := place{bot: name, id: c.ID, turn: i + 1, text: t.User}
		answered := asked
		if asked = ""; reply.Asked != nil {
			asked = *reply.Asked
		}
		if a.loose[answered] && answered != asked {
			s.skip(name + ": the output format of an answer")
			continue
		}
		var want []string
		for _, w := range t.Expect.Replies {
			want = append(want, choices.ReplaceAllString(w, ""))
		}
		right := fold(reply.Reply) == fold(strings.Join(want, " "))
		good = good && right
		s.count("reply", right, at, "inputs: another reply", fmt.Sprintf("want %q, got %q", want, reply.Reply))
	}
	s.count("goal", good, place{bot: name, id: c.ID, turn: len(c.Turns)}, "inputs: a script that differs", name)
	return nil
}
