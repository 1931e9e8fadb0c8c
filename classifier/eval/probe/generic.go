package probe

import (
	_ "embed"
	"strings"

	"github.com/slotway/slotway/config"
)

// Request is one message that is tried.
type Request struct {
	Text  string
	About string // the domain, or the agent's word that it is made of
}

//go:embed generic.txt
var genericTable string

// Generic are the requests that people make of any bot, without those that the agent's own
// examples serve, and how many those are.
func Generic(agent *config.Agent) (requests []Request, served int) {
	examples := exampleStems(agent)
	for _, r := range all() {
		if serves(examples, stems(r.Text)) {
			served++
			continue
		}
		requests = append(requests, r)
	}
	return requests, served
}

// all are the requests of the table.
func all() []Request {
	var out []Request
	var domain string
	var things []string
	for _, line := range lines(genericTable) {
		if head, ok := strings.CutPrefix(line, "= "); ok {
			name, list, _ := strings.Cut(head, ":")
			domain, things = name, split(list)
			continue
		}
		if len(things) == 0 {
			out = append(out, Request{line, domain})
		}
		for _, thing := range things {
			out = append(out, Request{strings.Replace(line, "{}", thing, 1), domain})
		}
	}
	return out
}

// lines returns the lines of a table without remarks and empty ones.
func lines(table string) []string {
	var out []string
	for line := range strings.Lines(table) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

// split reads a list with commas.
func split(list string) []string {
	var out []string
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
