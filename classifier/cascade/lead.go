package cascade

// leads are the system intents that may open a message and be followed by more.
var leads = map[string]bool{"affirm": true, "deny": true, "cancel": true, "correct": true, "greet": true, "thanks": true, "skip": true}

// looseLeads lists leads that need no punctuation behind them: "yes and where is it". They are in
// normal form. In other languages a mark is needed: the "no" of "no he recibido nada" is part of
// the request.
var looseLeads = func() map[string]string {
	all := map[string]string{}
	for intent := range leads {
		for _, phrase := range lists.Phrases("lead " + intent) {
			all[phrase] = intent
		}
	}
	return all
}()

// notLeads lists the words before which a loose lead is none: "no one answered", "thanks for nothing",
// "sure thing".
var notLeads = func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for lead := range looseLeads {
		all[lead] = setOf(lists.Phrases("unless behind " + lead))
	}
	return all
}()

const longestLead = 5 // words

// lead returns the system phrase that opens pieces, and its number of pieces. It is "" unless
// something follows.
func (c *Classifier) lead(pieces []piece) (intent string, n int) {
	for n = min(longestLead, len(pieces)-1); n > 0; n-- {
		key := join(pieces[:n])
		next := pieces[n].key
		if name, ok := looseLeads[key]; ok && c.system[name] {
			if pieces[n-1].pause || c.english && !notLeads[key][next] {
				return name, n
			}
		}
		system := c.stock[key].system
		if leads[system] && (pieces[n-1].pause || next == "and" || next == "but") {
			return system, n
		}
	}
	return "", 0
}
