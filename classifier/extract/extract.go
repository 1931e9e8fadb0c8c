package extract

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/choices"
	"github.com/slotway/slotway/classifier/extract/internal/currency"
	"github.com/slotway/slotway/classifier/extract/internal/enum"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/rows"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/language"
)

// Options describes the users of an agent; the zero value is the United States.
type Options struct {
	Language string // BCP 47 tag of what is spoken, for [Recognize]; an agent says its own. Default English
	Region   string // ISO 3166 country of the users; default that of the agent, else of the language
	Currency string // ISO 4217 code of an amount without one, when money is asked; default that of the region
	DayFirst bool   // 3/4/2026 is the 3rd of April, whatever the region

	// Knows reports whether a word, in lower case, is a common one of the language. It is no
	// typo of another then, but where it is the whole answer. Nil: a short list is taken.
	Knows func(word string) bool

	eitherFirst bool // 3/4/2026 may be either day: the region writes both
}

// at returns the options with what is usual in the users' region: what they say themselves comes
// first, then a country, then the language.
func (o *Options) at(country, tag string) Options {
	var v Options
	if o != nil {
		v = *o
	}
	home := language.RegionOf(cmp.Or(v.Region, country), cmp.Or(tag, v.Language))
	v.Region, v.Currency = home.Country, cmp.Or(v.Currency, home.Currency)
	v.eitherFirst = !v.DayFirst && home.Dates == language.EitherFirst
	v.DayFirst = v.DayFirst || home.Dates == language.DayFirst
	return v
}

// clock returns the clock of a message.
func (o *Options) clock(now time.Time) calendar.Clock {
	return calendar.Clock{Now: now, DayFirst: o.DayFirst, EitherFirst: o.eitherFirst}
}

// Extractor finds the params of one agent. It does not change and is safe for
// concurrent use.
type Extractor struct {
	options  Options
	types    []*recogniser
	params   map[string][]*recogniser // by param, for the open question
	lists    message.Set              // params that take many values
	builtin  map[string]bool          // built-in types that some param has
	scanned  bool                     // some of them are found by the scan
	byKind   map[string][]*recogniser // the types that are a built-in one
	coded    []*recogniser            // the types whose values are ids or codes
	heads    message.Set              // the letters that their values begin with, in lower case
	later    map[string]string        // by param: the one whose day comes before its own
	about    map[string]about         // by param: the words that announce its values
	peopled  bool                     // some param counts people
	ages     bool                     // some param counts people of one age
	aged     bool                     // some param holds how old somebody is
	address  string                   // the only param that holds an address, or ""
	own      message.Set              // the words that the agent calls its params and tasks by
	keeps    map[string]bool          // params that keep an answer that is none of their values
	english  bool                     // the agent speaks the language of the tables
	language *rows.Language           // the language that the agent speaks; English where it has no tables
	scans    sync.Pool                // of *scan
}

// recogniser is a type and the params that have it.
type recogniser struct {
	*config.Type
	params []string // sorted
	enum   *enum.Enum
	heads  []string   // the letters that ids and codes begin with, in upper case
	nouns  []string   // words of the type's name
	solo   *Extractor // of a built-in type: reads a stretch of a message as an answer
}

// New compiles the types of an agent's params.
func New(agent *config.Agent, opts *Options) *Extractor {
	x := &Extractor{options: opts.at(agent.Region, agent.Language), params: map[string][]*recogniser{}, builtin: map[string]bool{}, byKind: map[string][]*recogniser{}, about: map[string]about{}, heads: message.Set{}, lists: message.Set{}}
	x.own, x.keeps = agentWords(agent), map[string]bool{}
	x.english = agent.English()
	x.language = rows.Of(agent.Language)
	byType := map[*config.Type]*recogniser{}
	all := params(agent)
	x.address = addressOf(all)
	for _, p := range all {
		if p == nil || p.Type == nil {
			continue
		}
		r := byType[p.Type]
		if r == nil {
			r = &recogniser{Type: p.Type, enum: enum.New(p.Type)}
			byType[p.Type] = r
			x.types = append(x.types, r)
			x.byKind[p.Type.Builtin] = append(x.byKind[p.Type.Builtin], r)
			r.solo = x.soloOf(r)
			if r.coded() {
				x.addCoded(r)
			}
		}
		if slices.Contains(r.params, p.Name) {
			continue
		}
		x.about[p.Name] = describe(p)
		if p.List {
			x.lists[p.Name] = true
		}
		x.keeps[p.Name] = x.keeps[p.Name] || p.Else == config.ElseKeep
		x.peopled = x.peopled || numbers.Counts[p.Type.Builtin] && x.about[p.Name].people
		x.aged = x.aged || x.about[p.Name].old
		x.ages = x.ages || numbers.Counts[p.Type.Builtin] && x.about[p.Name].ages
		r.params = append(r.params, p.Name)
		slices.Sort(r.params)
		x.params[p.Name] = append(x.params[p.Name], r)
		x.builtin[p.Type.Builtin] = true
		x.scanned = x.scanned || needsScan(p.Type.Builtin)
	}
	x.later = laterDays(agent)
	return x
}

// params returns every param of the agent and its intents, in a fixed order.
func params(agent *config.Agent) []*config.Param {
	var all []*config.Param
	names := make([]string, 0, len(agent.Params))
	for name := range agent.Params {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		all = append(all, agent.Params[name])
	}
	for _, in := range slices.Concat(agent.Intents, agent.System) {
		all = append(all, in.Required...)
		for _, group := range in.OneOf {
			all = append(all, group...)
		}
		all = append(all, in.Optional...)
	}
	return all
}

// Extract appends the candidates in a message to into, by start, the longer first, then
// by param, and returns the extended slice. Every span lies within in.Text and none is
// empty.
func (x *Extractor) Extract(in classifier.Input, into []message.Value) []message.Value {
	values, _ := x.ExtractAll(in, into)
	return values
}

// ExtractAll is Extract, and also returns what was recognised and is no value:
// [message.Value.Wrong] gives the reason.
func (x *Extractor) ExtractAll(in classifier.Input, into []message.Value) (values, wrong []message.Value) {
	values, wrong, _ = x.Analyse(in, into)
	return values, wrong
}

// Found is a place where a built-in type was recognised, in code points.
type Found struct {
	Kind       string
	Start, End int
}

// Analyse is ExtractAll, and also returns the places of the built-in types that the message was
// read for, whatever params the agent has.
func (x *Extractor) Analyse(in classifier.Input, into []message.Value) (values, wrong []message.Value, found []Found) {
	if len(x.types) == 0 && (in.Asked == nil || len(in.Asked.Options) == 0) {
		return into, nil, nil // nothing can be found
	}
	c := &collector{at: message.PlacesOf(in.Text), text: in.Text, values: into, base: len(into)}
	asked := x.askedType(in.Asked)
	s, ok := x.scans.Get().(*reading)
	if !ok {
		s = blankReading()
	}
	defer x.scans.Put(s)
	tokens := append(s.Tokens[:0], in.Cut()...)
	s.resetTo(in.Text, tokens, x.options.clock(in.Now), asked, x.language)
	s.Currency = x.currencyOf(&in)
	s.Knows, s.Several = x.options.Knows, x.lists[askedParam(in.Asked)]
	x.matchOptions(s, in.Asked, c)
	taken := x.matchPatterns(s, c)
	x.matchCodes(s, askedParam(in.Asked), c)
	x.matchBuiltins(s, &in, taken, c)
	x.matchEnums(s, &in, c)
	if in.Asked != nil {
		x.answer(s, in.Asked, c)
	}
	x.matchNames(s, &in, c)
	x.matchAddress(s, &in, c)
	if len(in.Filled) > 0 {
		x.corrections(s, &in, c)
	}
	x.tellPeriods(s, in.Asked, c)
	c.countChosen()
	c.sort()
	if x.aged {
		x.tellAges(s, c)
	}
	x.unlisted(s, in.Asked, c)
	return c.values, c.wrong, c.found
}

// currencyOf is the currency of an amount that is said without one: that of an amount which is known,
// since it may correct it, else that of the region.
func (x *Extractor) currencyOf(in *classifier.Input) string {
	code := currency.CodeOf(in.Params[askedParam(in.Asked)])
	for _, r := range x.byKind["money"] {
		for _, p := range r.params {
			code = cmp.Or(code, currency.CodeOf(in.Params[p]))
		}
	}
	return cmp.Or(code, x.options.Currency)
}

// addCoded notes a type of ids or codes.
func (x *Extractor) addCoded(r *recogniser) {
	x.coded = append(x.coded, r)
	r.heads = headsOf(r.Patterns)
	r.nouns = describe(&config.Param{Name: r.Name}).words
	for _, h := range r.heads {
		x.heads[strings.ToLower(h)] = true
	}
}

// Filler reports whether a word in lower case is neither part of a value nor of a request:
// courtesy, articles, forms of "to be".
func Filler(word string) bool { return message.English().Has("filler", word) }

func askedParam(asked *classifier.Asked) string {
	if asked == nil {
		return ""
	}
	return asked.Param
}

// askedType is the built-in type of the open question, or "".
func (x *Extractor) askedType(asked *classifier.Asked) string {
	if asked == nil {
		return ""
	}
	for _, r := range x.params[asked.Param] {
		if r.Builtin != "" {
			return r.Builtin
		}
	}
	return ""
}

func (x *Extractor) matchOptions(s *reading, asked *classifier.Asked, c *collector) {
	if asked == nil || len(asked.Options) == 0 {
		return
	}
	for _, ch := range choices.Read(s.Message, asked.Options) {
		c.tokens(s, asked.Param, asked.Options[ch.Option].Value, ch.From, ch.To, "option", ch.Confidence)
	}
}

// matchPatterns finds what the declared patterns describe; the longest of overlapping
// spans wins, equal ones all stand.
func (x *Extractor) matchPatterns(s *reading, c *collector) []find.Span {
	var hits []find.Span
	for k, r := range x.types {
		for _, re := range r.Patterns {
			for _, m := range re.FindAllStringSubmatchIndex(s.Text, -1) {
				start, end := m[0], m[1]
				if len(m) > 3 && m[2] >= 0 {
					start, end = m[2], m[3]
				}
				start, end = trim(s.Text, start, end)
				if start < end {
					hits = append(hits, find.Span{Value: k, Start: start, End: end})
				}
			}
		}
	}
	if len(hits) == 0 {
		return nil
	}
	hits = longest(hits)
	for _, h := range hits {
		k, ok := h.Value.(int)
		if !ok {
			continue // not reached: every hit above holds its type's number
		}
		r := x.types[k]
		value := config.Normalize(s.Text[h.Start:h.End], r.Normalize)
		if value == "" {
			continue
		}
		for _, p := range r.params {
			c.bytes(p, value, h.Start, h.End, "pattern", 0.97)
		}
		s.Take(h.Start, h.End)
	}
	return hits
}

// longest drops the spans that overlap a longer one.
func longest(hits []find.Span) []find.Span {
	return slices.DeleteFunc(slices.Clone(hits), func(a find.Span) bool {
		return slices.ContainsFunc(hits, func(b find.Span) bool {
			return a.Start < b.End && b.Start < a.End && b.End-b.Start > a.End-a.Start
		})
	})
}

func trim(text string, start, end int) (int, int) {
	for start < end && strings.IndexByte(" \t\n", text[start]) >= 0 {
		start++
	}
	for end > start && strings.IndexByte(" \t\n", text[end-1]) >= 0 {
		end--
	}
	return start, end
}

// matchEnums finds the values of enumerations. In an answer, what is denied is none: "olives, no ham";
// denied values of a list after "all" leave the others.
func (x *Extractor) matchEnums(s *reading, in *classifier.Input, c *collector) {
	for _, r := range x.types {
		if r.enum == nil {
			continue
		}
		isAsked := in.Asked != nil && slices.Contains(r.params, in.Asked.Param)
		answers := isAsked && !slices.Contains(in.Filled, in.Asked.Param)
		if value, ok := r.enum.Whole(s.Text); isAsked && ok {
			for _, p := range r.params {
				c.tokens(s, p, value, 0, len(s.Tokens), "enum", wholeValue)
			}
			continue
		}
		var found, denied []enumFind
		for i := 0; i < len(s.Tokens); {
			value, n, exact := r.enum.At(s.Message, i, isAsked)
			switch {
			case n == 0:
				i++
				continue
			case answers && choices.Denied(s.Message, i):
				denied = append(denied, enumFind{value, i, i + n, exact})
			default:
				found = append(found, enumFind{value, i, i + n, exact})
			}
			i += n
		}
		if at := s.saysAll(); answers && s.Several && len(found) == 0 && len(denied) > 0 && at >= 0 {
			for _, value := range r.without(denied) {
				c.either(s, in.Asked.Param, value, at, at+1, "enum", 0.8)
			}
		}
		for _, f := range found {
			confidence := 0.95
			if !f.exact {
				confidence = 0.8
			}
			for _, p := range r.params {
				c.tokens(s, p, f.value, f.from, f.to, "enum", confidence)
			}
		}
	}
}

// enumFind is a value of an enumeration in a message. Offsets are tokens.
type enumFind struct {
	value    string
	from, to int
	exact    bool
}

// saysAll is where a message takes all of what is offered; -1 for nowhere.
func (s *reading) saysAll() int {
	for i := range s.Tokens {
		if s.IsTerm(i, "all") {
			return i
		}
	}
	return -1
}

// without returns the values of a type beside some.
func (r *recogniser) without(denied []enumFind) []string {
	var out []string
	for _, v := range r.Values {
		if !slices.ContainsFunc(denied, func(f enumFind) bool { return f.value == v.Value }) {
			out = append(out, v.Value)
		}
	}
	return out
}

// wholeValue is the confidence of a message that is a value of what is asked, to the letter.
const wholeValue = 0.99
