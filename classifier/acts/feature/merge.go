package feature

// pairs are two words that are written as one as well; spelling is the words that have
// several spellings. One form of each is looked at, so that a phrase is learned once.
var (
	pairs    = map[[2]uint64]string{}
	spelling = map[uint64]string{}
	settled  [1024]bool // whether a word with these low bits may be in one of the two
)

func init() {
	word := func(w string) uint64 { return hash(seedWord, []byte(w)) }
	for one, two := range map[string][]string{
		"im": {"i", "am"}, "ive": {"i", "have"}, "id": {"i", "would"}, "ill": {"i", "will"},
		"youre": {"you", "are"}, "youve": {"you", "have"}, "youll": {"you", "will"}, "youd": {"you", "would"},
		"hes": {"he", "is"}, "shes": {"she", "is"}, "its": {"it", "is"}, "itll": {"it", "will"},
		"were": {"we", "are"}, "weve": {"we", "have"}, "wed": {"we", "would"}, "theyre": {"they", "are"}, "theyve": {"they", "have"},
		"thats": {"that", "is"}, "theres": {"there", "is"}, "whats": {"what", "is"}, "wheres": {"where", "is"}, "hows": {"how", "is"},
		"whos": {"who", "is"}, "whens": {"when", "is"}, "whys": {"why", "is"}, "lets": {"let", "us"},
		"dont": {"do", "not"}, "doesnt": {"does", "not"}, "didnt": {"did", "not"}, "cant": {"can", "not"}, "couldnt": {"could", "not"},
		"wont": {"will", "not"}, "wouldnt": {"would", "not"}, "shouldnt": {"should", "not"}, "isnt": {"is", "not"}, "arent": {"are", "not"},
		"wasnt": {"was", "not"}, "werent": {"were", "not"}, "hasnt": {"has", "not"}, "havent": {"have", "not"}, "hadnt": {"had", "not"},
		"wanna": {"want", "to"}, "gonna": {"going", "to"}, "gotta": {"got", "to"}, "gimme": {"give", "me"}, "lemme": {"let", "me"},
		"nomore": {"no", "more"}, "noone": {"no", "one"}, "nevermind": {"never", "mind"}, "goodbye": {"good", "bye"},
		"anymore": {"any", "more"}, "alright": {"all", "right"}, "cannot": {}, "thankyou": {"thank", "you"},
	} {
		if len(two) == 2 {
			pairs[[2]uint64{word(two[0]), word(two[1])}] = one
			settled[word(two[1])%uint64(len(settled))] = true
		}
	}
	for common, others := range map[string][]string{
		"you": {"u", "ya", "yu", "yuo"}, "are": {"r"}, "your": {"ur"}, "please": {"pls", "plz", "plse", "pleas", "plase"}, "cant": {"cannot"},
		"thanks": {"thx", "thanx", "thnx", "tnx", "tks", "thks", "thnks"}, "because": {"cuz", "coz", "bc", "becuase", "becouse", "cause"},
		"ok": {"okay", "okey", "okie", "oki", "k", "kk", "okk"}, "yeah": {"yea", "yeh", "yah"}, "dont": {"dnt", "dun"},
		"what": {"wat", "waht", "wut", "whut"}, "where": {"wher", "wehre", "whre"}, "the": {"teh", "hte", "da"}, "my": {"mi"},
		"want": {"wnt", "whant"}, "with": {"wiht", "w"}, "and": {"nd", "adn"}, "im": {"iam"}, "ive": {"iv"},
		"how": {"hwo"}, "does": {"dose"}, "tomorrow": {"tmrw", "tomorow", "tommorow"}, "to": {"too2"}, "know": {"kno", "knw"},
		"something": {"sth", "smth"}, "someone": {"somebody", "sb"}, "anyone": {"anybody"}, "nobody": {"noone"}, "mind": {"mnd"},
		"about": {"abt"}, "get": {"gt"}, "have": {"hv", "hav"}, "minute": {"min", "mins", "minutes"}, "second": {"sec", "secs"},
		"information": {"info"}, "number": {"nr", "nbr"}, "sorry": {"sry", "srry"}, "really": {"rly"}, "asap": {"asp"},
		"alright": {"allright", "alrighty", "aight"}, "fuck": {"fck", "fuk", "fking", "fucking"}, "tonight": {"tonite"}, "though": {"tho"},
	} {
		for _, o := range others {
			spelling[word(o)] = common
			settled[word(o)%uint64(len(settled))] = true
			settled[word(common)%uint64(len(settled))] = true
		}
	}
}

// settle writes the last word in its common form, and joins it to the word before it where the two
// are written as one.
func (c *Clause) settle() {
	last := &c.Words[len(c.Words)-1]
	if last.kind != letters || !settled[last.Hash%uint64(len(settled))] {
		return
	}
	if common, ok := spelling[last.Hash]; ok {
		c.respell(last, common)
	}
	if len(c.Words) < 2 {
		return
	}
	before := &c.Words[len(c.Words)-2]
	if one, ok := pairs[[2]uint64{before.Hash, last.Hash}]; ok {
		c.respell(before, one)
		c.Words = c.Words[:len(c.Words)-1]
	}
}

func (c *Clause) respell(w *Word, as string) {
	w.start = len(c.letters)
	c.letters = append(c.letters, as...)
	w.end = len(c.letters)
	w.Hash = hash(seedWord, c.letters[w.start:])
}
