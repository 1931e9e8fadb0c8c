package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tables "github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/source"
	"golang.org/x/text/language"
)

// Defaults, as documented in the schema.
const (
	defaultIdleTTL     = time.Hour
	defaultWaitingTTL  = 10 * time.Minute
	defaultThreshold   = 0.55
	defaultReject      = 0.30
	defaultAmbiguity   = 0.10
	defaultToolTimeout = 5 * time.Second
)

func defaultPolicy() Policy {
	return Policy{
		MaxRetries: 2, OnExhausted: ExhaustedHandoff, Digression: DigressionResume, MaxDepth: 3,
		ClarifyMax: 2, Correction: CorrectionAnnounce, ConfirmWrites: true, MaxSteps: 16,
	}
}

// policy merges the settings of a node, under `policy` or directly, into base. Direct settings win.
func (b *builder) policy(n *source.Node, base Policy) Policy {
	p := b.policyFields(n.Get("policy"), base)
	if n == b.root {
		return p
	}
	return b.policyFields(n, p)
}

func (b *builder) policyFields(n *source.Node, p Policy) Policy {
	p.MaxRetries = b.whole(n.Get("max_retries"), p.MaxRetries)
	p.MaxDepth = b.whole(n.Get("max_depth"), p.MaxDepth)
	p.ClarifyMax = b.whole(n.Get("clarify_max"), p.ClarifyMax)
	p.MaxSteps = b.whole(n.Get("max_steps"), p.MaxSteps)
	p.ConfirmWrites = b.flag(n.Get("confirm_writes"), p.ConfirmWrites)
	if s := n.Get("on_exhausted").Text(); s != "" {
		p.OnExhausted = OnExhausted(s)
	}
	if s := n.Get("digression").Text(); s != "" {
		p.Digression = Digression(s)
	}
	if s := n.Get("correction").Text(); s != "" {
		p.Correction = Correction(s)
	}
	return p
}

func (b *builder) header() {
	a, n := b.agent, b.root.Get("agent")
	a.Version = b.whole(b.root.Get("version"), 1)
	if id := b.words(n.Get("id")); id != "" {
		a.ID, a.name = id, strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(id)
	}
	a.Description = b.words(n.Get("description"))
	a.SystemPrompt = b.words(n.Get("system_prompt"))
	a.Language, a.Location = "en", time.UTC
	if l := n.Get("language"); l.Kind() == source.KindText {
		a.Language = b.words(l)
		if tag, err := language.Parse(a.Language); err == nil {
			a.Language = tag.String() // in its one spelling: EN and en_US are English
		} else {
			b.problems.Add(l, fmt.Sprintf("%q is no language tag", a.Language), "write a BCP 47 tag such as en, de or pt-BR")
		}
	}
	a.words = phrase.For(a.Language)
	if r := n.Get("region"); r.Kind() == source.KindText {
		a.Region = b.words(r)
		if !tables.IsCountry(a.Region) {
			b.problems.Add(r, fmt.Sprintf("%q is no country", a.Region), "write its ISO 3166 code of two capital letters, such as GB, US or DE")
		}
	}
	if z := n.Get("timezone"); z.Kind() == source.KindText {
		b.timezone(z)
	}
	s := b.root.Get("session")
	a.Session = SessionPolicy{
		IdleTTL:     b.duration(s.Get("idle_ttl"), defaultIdleTTL),
		WaitingTTL:  b.duration(s.Get("waiting_ttl"), defaultWaitingTTL),
		CarryParams: b.flag(s.Get("carry_params"), true),
	}
	c := b.root.Get("classifier")
	a.Classifier = ClassifierPolicy{
		Threshold: b.fraction(c.Get("threshold"), defaultThreshold),
		Ambiguity: b.fraction(c.Get("ambiguity"), defaultAmbiguity),
		Fallback:  b.words(c.Get("fallback")),
		LLM:       b.flag(c.Get("llm"), true),
	}
	a.Classifier.Reject = b.fraction(c.Get("reject"), min(defaultReject, a.Classifier.Threshold))
	if a.Classifier.Reject > a.Classifier.Threshold {
		b.problems.Add(c.Get("reject"), fmt.Sprintf("is %v, above the threshold %v", a.Classifier.Reject, a.Classifier.Threshold),
			"lower it: from it to the threshold the best two intents are offered")
	}
}

// timezone refuses "Local", which would give the definition another meaning on every machine.
func (b *builder) timezone(n *source.Node) {
	location, err := time.LoadLocation(n.Text())
	if err != nil || n.Text() == "Local" {
		b.problems.Add(n, fmt.Sprintf("%q is no time zone", n.Text()), "write an IANA name such as Europe/Berlin or UTC")
		return
	}
	b.agent.Location = location
}

func (b *builder) databases() {
	b.agent.Databases = map[string]*Database{}
	for _, e := range b.root.Get("databases").Entries() {
		db := &Database{
			Name: e.Key, Driver: e.Value.Get("driver").Text(),
			DSN: b.expandable(e.Value.Get("dsn")), Seed: b.words(e.Value.Get("seed")),
		}
		b.agent.Databases[e.Key] = db
		if db.Seed == "" {
			continue
		}
		if _, err := b.agent.ReadFile(db.Seed); err != nil {
			message, hint := unreadable(db.Seed, err, "write a path relative to this file, or remove seed")
			b.problems.Fail(source.Unreadable, e.Value.Get("seed"), message, hint)
		}
	}
}

func (b *builder) mcpServers() {
	b.agent.MCPServers = map[string]*MCPServer{}
	for _, e := range b.root.Get("mcp_servers").Entries() {
		s := &MCPServer{
			Name: e.Key, Command: b.expandables(e.Value.Get("command")), URL: b.expandable(e.Value.Get("url")),
			Env: b.stringMap(e.Value.Get("env")), Headers: b.stringMap(e.Value.Get("headers")),
		}
		b.agent.MCPServers[e.Key] = s
		if (len(s.Command) == 0) == (s.URL == "") {
			b.problems.Add(e.Value, "needs either command or url", "write command: [program, argument] or url: https://...")
		}
	}
}

func (b *builder) redaction() {
	n := b.root.Get("redaction")
	r := Redaction{Params: b.wordList(n.Get("params")), Patterns: b.wordList(n.Get("patterns")), Mask: phrase.MustText("{name}")}
	known := slices.Sorted(maps.Keys(b.agent.Params))
	for _, item := range n.Get("params").Items() {
		if item.Kind() == source.KindText && b.agent.Params[item.Text()] == nil {
			b.unknown(item, "param", item.Text(), known)
		}
	}
	if mask := b.text(n.Get("mask")); mask != nil {
		for _, name := range mask.Names() {
			if name != "name" {
				b.problems.Add(n.Get("mask"), fmt.Sprintf("nothing fills {%s}", name), "a mask may use {name} only")
			}
		}
		r.Mask = mask
	}
	b.agent.Redaction = r
}
