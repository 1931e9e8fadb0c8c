package cascade

// leads are the system intents that may open a message and be followed by more.
var leads = map[string]bool{"affirm": true, "deny": true, "cancel": true, "correct": true, "greet": true, "thanks": true, "skip": true}

// looseLeads lists leads that need no punctuation behind them: "yes and where is it". They are in
// normal form. In other languages a mark is needed: the "no" of "no he recibido nada" is part of
// the request.
var looseLeads = map[string]string{
	"yes": "affirm", "yeah": "affirm", "yea": "affirm", "yep": "affirm", "yup": "affirm", "ok": "affirm", "okay": "affirm", "sure": "affirm", "yes please": "affirm",
	"no": "deny", "nope": "deny", "nah": "deny", "no thanks": "deny", "no thank you": "deny",
	"never mind": "cancel", "nevermind": "cancel", "forget it": "cancel", "forget that": "cancel",
	"actually": "correct", "i meant": "correct", "i mean": "correct", "make it": "correct", "make that": "correct", "sorry i meant": "correct",
	"change it to": "correct", "change that to": "correct", "it should be": "correct", "wait i meant": "correct", "no wait": "correct", "i meant to say": "correct",
	"hi": "greet", "hello": "greet", "hey": "greet", "hi there": "greet", "hello there": "greet", "hey there": "greet",
	"good morning": "greet", "good afternoon": "greet", "good evening": "greet",
	"thanks": "thanks", "thank you": "thanks", "thx": "thanks", "many thanks": "thanks",
}

// unlessNext lists the words before which a loose lead is none: "no one answered", "thanks for
// nothing", "sure thing".
var unlessNext = map[string]map[string]bool{
	"no":        phrases("one,way,more,longer,problem,idea,matter,need,doubt,reply,answer,response,tracking,order,email,number,refund,package,delivery,news,sign,confirmation,luck,other,reason,worries,money,clue"),
	"thanks":    phrases("for,to,a"),
	"thank you": phrases("for,so,very"),
	"sure":      phrases("thing,about"),
	"i mean":    phrases("it"),
	"hey":       phrases("you"),
}

const longestLead = 5 // words

// lead returns the system phrase that opens pieces, and its number of pieces. It is "" unless
// something follows.
func (c *Classifier) lead(pieces []piece) (intent string, n int) {
	for n = min(longestLead, len(pieces)-1); n > 0; n-- {
		key := join(pieces[:n])
		next := pieces[n].key
		if name, ok := looseLeads[key]; ok && c.system[name] {
			if pieces[n-1].pause || c.english && !unlessNext[key][next] {
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
