package cues

import (
	"slices"
	"sync"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// Reader reads the words around the values of one agent's params. It does not change and is safe
// for concurrent use.
type Reader struct {
	english bool // the tables are; of another language only what is learned and signs count
	params  map[string]*param
	groups  []*group
	member  map[string]bool // params that are of a group

	open       map[string]*open // params whose values may be any text
	openGroups []*group         // of these, those of one shape
	announcers book[announcer]  // by their first word
	work       sync.Pool        // of *work
}

// work is the memory that the reading of one message needs. It is used again.
type work struct {
	cutMessage
	at      []span
	clauses []clause
}

// New learns from an agent's params and annotated examples.
func New(agent *config.Agent) *Reader {
	r := &Reader{english: agent.English(), params: map[string]*param{}, member: map[string]bool{}, announcers: book[announcer]{}}
	for _, in := range slices.Concat(agent.Intents, agent.Elements) {
		for _, p := range in.AllParams() {
			if known := r.params[p.Name]; known != nil {
				known.label(p)
			} else {
				r.params[p.Name] = newParam(p)
			}
		}
	}
	for _, in := range agent.Intents {
		for _, p := range in.AllParams() {
			if p.Objects != nil { // an element is taken off by its first field
				r.params[p.Objects.Key().Name].list = true
			}
		}
	}
	r.groups = groupsOf(agent)
	for _, g := range r.groups {
		for _, name := range g.params {
			r.member[name] = true
		}
	}
	for _, in := range agent.Intents {
		for _, e := range in.Examples {
			if len(e.Spans) > 0 {
				r.learnUnits(e)
				r.learnRoles(e)
			}
		}
	}
	for _, g := range r.groups {
		g.english = r.english
		g.settle()
		r.share(g)
	}
	r.openParams(agent)
	r.learnOpen(agent)
	return r
}

// roleNouns name the ends of a way, whatever an author calls the params.
var roleNouns = map[side][]string{head: {"origin", "departure", "source"}, tail: {"destination"}}

// share notes which words of its members' labels do not tell them apart, and adds the words that
// people use for its ends, whatever the author calls the params.
func (r *Reader) share(g *group) {
	count := map[string]int{}
	for _, name := range g.params {
		for w := range r.params[name].labels {
			count[w]++
		}
	}
	for _, name := range g.params {
		p := r.params[name]
		for w := range p.labels {
			if count[w] > 1 || slices.Contains(g.types, w) || typeNouns[w] {
				p.shared[w] = true
			}
		}
	}
	if g.heads < 0 || g.tails < 0 {
		return
	}
	if g.change {
		for w, s := range changeNames {
			r.params[g.params[g.of(s)]].labels[w] = true
		}
	}
	if !r.english || g.kind != place || g.hire {
		return
	}
	for s, nouns := range roleNouns {
		for _, w := range nouns {
			if count[w] == 0 {
				r.params[g.params[g.of(s)]].labels[w] = true
			}
		}
	}
}

// typeNouns lists the words of a label that only name its type.
var typeNouns = words("type nouns")

// Read sets the cues of a result's values. Where several params of one type could take a value, it
// leaves the value to the param that the words announce. It adds texts that the message announces
// ("my new address is ..."), except for params that known reports; a nil known reports none. It
// also sets Swap where two values are to change places.
func (r *Reader) Read(in classifier.Input, res *message.Result, known func(param string) bool) {
	w, ok := r.work.Get().(*work)
	if !ok {
		w = &work{}
	}
	defer r.work.Put(w)
	w.foreign = !r.english
	w.read(in.Text, in.Cut())
	res.Swap = w.swaps()
	if len(res.Params) == 0 && len(r.announcers) == 0 {
		return
	}
	w.clauses = w.clauses[:0]
	w.at = w.locate(res.Params, w.at[:0])
	r.cues(w, res.Params)
	if slices.ContainsFunc(res.Params, func(v message.Value) bool { return r.member[v.Param] }) {
		r.roles(in, w, res)
		w.forget()
		w.at = w.locate(res.Params, w.at[:0])
	}
	if len(r.announcers) > 0 {
		r.announced(in, w, res, known)
	}
}

// isList reports whether a param takes many values.
func (r *Reader) isList(name string) bool {
	p := r.params[name]
	return p != nil && p.list
}

// cues sets the cues of all values.
func (r *Reader) cues(w *work, values []message.Value) {
	var n noted
	for k := range values {
		v := &values[k]
		if soft(*v) || w.at[k].from == w.at[k].to {
			continue
		}
		if k == 0 || w.at[k] != w.at[k-1] || soft(values[k-1]) {
			n = w.surroundings(w.at[k])
		}
		v.Cues |= n.cues
		p := r.params[v.Param]
		if p == nil {
			continue
		}
		if n.bare && (p.list || p.enum && !n.first) {
			v.Cues |= message.CueRemove
		}
		if w.labelled(w.at[k], p) {
			v.Cues |= message.CueLabel
		}
		if p.number && w.counted(w.at[k], p) {
			v.Cues |= message.CueUnit
		}
	}
	w.pairs(values, w.at, r.isList)
	for k := range values {
		if !soft(values[k]) {
			values[k].Cues |= w.clauseCues(w.at[k].from)
		}
	}
}
