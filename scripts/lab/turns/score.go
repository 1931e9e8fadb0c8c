package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"

	"github.com/slotway/slotway/scripts/lab/turnset"
)

// score counts turns.
type score struct {
	all    tally
	kinds  map[string]*tally   // by kind of open question
	agents map[string]*tally   //
	files  map[string]*tally   //
	does   map[string]*matches // by command
	wrong  *json.Encoder       // of turns that were understood otherwise; nil: nobody asks
}

// tally counts turns of one sort.
type tally struct {
	turns, exact, nearly, never int
}

// matches counts commands of one name.
type matches struct{ want, got, right int }

func newScore() *score {
	return &score{kinds: map[string]*tally{}, agents: map[string]*tally{}, files: map[string]*tally{}, does: map[string]*matches{}}
}

// miss is a turn that was understood otherwise, or as it must never be.
type miss struct {
	File    string            `json:"file"`
	Line    int               `json:"line"`
	Agent   string            `json:"agent"`
	State   turnset.State     `json:"state"`
	Message string            `json:"message"`
	Want    []turnset.Command `json:"want"`
	Got     []turnset.Command `json:"got"`
	Never   []turnset.Command `json:"never,omitempty"` // those of got that must never be
	Why     string            `json:"why"`
}

// add counts one turn.
func (s *score) add(path string, t *turnset.Turn, r turnset.Reading) error {
	want, got := turnset.Normal(t, t.Commands), turnset.Normal(t, r.Commands)
	missing, extra := difference(t, want, got), difference(t, got, want)
	s.count(want, got, extra)
	harm := forbidden(t, got)
	exact := onlyCourtesy(missing) && onlyCourtesy(extra)
	vagueWant, vagueGot := vague(t, want), vague(t, got)
	nearly := onlyCourtesy(difference(t, vagueWant, vagueGot)) && onlyCourtesy(difference(t, vagueGot, vagueWant))
	for _, of := range []*tally{&s.all, at(s.kinds, t.State.OpenKind()), at(s.agents, t.Agent), at(s.files, filepath.Base(path))} {
		of.turns++
		of.exact += count(exact)
		of.nearly += count(nearly)
		of.never += count(len(harm) > 0)
	}
	if s.wrong == nil || exact && len(harm) == 0 {
		return nil
	}
	return s.wrong.Encode(miss{File: filepath.Base(path), Line: t.Line, Agent: t.Agent, State: t.State, Message: t.Message, Want: want, Got: got, Never: harm, Why: r.Why})
}

// count counts commands by name.
func (s *score) count(want, got, extra []turnset.Command) {
	for _, c := range want {
		at(s.does, c.Do).want++
	}
	for _, c := range got {
		of := at(s.does, c.Do)
		of.got++
		of.right++
	}
	for _, c := range extra {
		at(s.does, c.Do).right--
	}
}

// difference returns the commands of a list that another does not have.
func difference(t *turnset.Turn, list, other []turnset.Command) []turnset.Command {
	left := slices.Clone(other)
	var out []turnset.Command
	for _, c := range list {
		i := slices.IndexFunc(left, func(o turnset.Command) bool { return t.Same(c, o) })
		if i < 0 {
			out = append(out, c)
		} else {
			left = slices.Delete(left, i, i+1)
		}
	}
	return out
}

// vague returns commands without the differences that hands do not agree about: what a question is
// about, which of the messages that lead to nothing are foreign, and whether a no to a
// confirmation is a stop.
func vague(t *turnset.Turn, commands []turnset.Command) []turnset.Command {
	out := slices.Clone(commands)
	for i, c := range out {
		switch {
		case c.Do == turnset.Ask:
			out[i].About = turnset.AboutOther
		case c.Do == turnset.OutOfScope:
			out[i].Do = turnset.Unclear
		case c.Do == turnset.Stop && t.State.OpenKind() == turnset.AskConfirm:
			out[i].Do = turnset.No
		}
	}
	return out
}

// forbidden returns the commands that must never be understood.
func forbidden(t *turnset.Turn, got []turnset.Command) []turnset.Command {
	var out []turnset.Command
	for _, c := range got {
		if slices.ContainsFunc(t.Never, func(f turnset.Forbidden) bool { return t.Hits(f, c) }) {
			out = append(out, c)
		}
	}
	return out
}

// onlyCourtesy reports whether commands are nothing but courtesy, which may be missed or added.
func onlyCourtesy(commands []turnset.Command) bool {
	return !slices.ContainsFunc(commands, func(c turnset.Command) bool { return c.Do != turnset.Courtesy })
}

// at returns the counter of a key, and makes it.
func at[T any](of map[string]*T, key string) *T {
	if of[key] == nil {
		of[key] = new(T)
	}
	return of[key]
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// report is a score as it is printed.
type report struct {
	sortReport
	Kinds    map[string]sortReport    `json:"kinds"`
	Commands map[string]commandReport `json:"commands"`
	Files    map[string]sortReport    `json:"files"`
	Agents   map[string]sortReport    `json:"agents"`
}

// sortReport says how turns of one sort were understood. The shares are of 1.
type sortReport struct {
	Turns      int     `json:"turns"`
	Exact      int     `json:"exact"` // all commands with their values, courtesy aside
	ExactShare float64 `json:"exact_share"`
	Nearly     int     `json:"nearly"` // exact, but for differences that hands do not agree about; see vague
	Never      int     `json:"never"`  // turns with a command that must never be understood
	NeverShare float64 `json:"never_share"`
}

// commandReport says how commands of one name were understood.
type commandReport struct {
	Want      int     `json:"want"`
	Got       int     `json:"got"`
	Right     int     `json:"right"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

func (s *score) report() report {
	r := report{sortReport: s.all.report(), Kinds: reports(s.kinds), Commands: map[string]commandReport{}, Files: reports(s.files), Agents: reports(s.agents)}
	for do, m := range s.does {
		r.Commands[do] = commandReport{Want: m.want, Got: m.got, Right: m.right, Precision: share(m.right, m.got), Recall: share(m.right, m.want)}
	}
	return r
}

func (t *tally) report() sortReport {
	return sortReport{Turns: t.turns, Exact: t.exact, ExactShare: share(t.exact, t.turns), Nearly: t.nearly, Never: t.never, NeverShare: share(t.never, t.turns)}
}

func reports(of map[string]*tally) map[string]sortReport {
	out := make(map[string]sortReport, len(of))
	for key, t := range of {
		out[key] = t.report()
	}
	return out
}

// share is a part of a whole to three decimals; none of nothing is 0.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return math.Round(1000*float64(part)/float64(whole)) / 1000
}
