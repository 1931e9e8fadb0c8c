package eval

import "math/rand/v2"

// What people say around a request. The lists have marks and lack them, as people do.
var (
	greetings = []string{
		"hi there hope you are well, ", "hello! ", "hey, how are you doing today? ", "good morning, ", "hi, i hope you're having a good day. ",
		"hey there ", "dear support team, ", "hello, nice to meet you, ", "good evening to all of you, ", "hi guys, ", "hiya ", "",
	}
	asides = []string{
		"i wanted to ask, ", "i have a quick question: ", "sorry to bother you but ", "i was wondering, ", "maybe you can help me with this. ",
		"so here is the thing, ", "just a quick one, ", "not sure if this is the right place but ", "i really need your help. ",
		"i have been trying for hours now, ", "my wife told me to write to you, ", "",
	}
	partings = []string{
		" thanks so much in advance", ". thank you!", ", thanks a lot for your help", " cheers", ". have a nice day!", ", i would really appreciate it",
		". looking forward to hearing from you", " thank you very much", ". let me know please, thanks", ", you guys are the best", " and thanks again", "",
	}
)

// chat puts chatter around a row's text: something before it at least.
func chat(r *Row, rng *rand.Rand) {
	before := pick(greetings, rng) + pick(asides, rng)
	for before == "" {
		before = pick(greetings, rng) + pick(asides, rng)
	}
	n := len([]rune(r.Text))
	r.splice(n, n, pick(partings, rng))
	r.splice(0, 0, before)
}

func pick(list []string, rng *rand.Rand) string { return list[rng.IntN(len(list))] }
