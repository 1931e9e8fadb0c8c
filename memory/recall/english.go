package recall

import "strings"

// stopWords holds words without a topic. They are neither indexed nor searched.
var stopWords = func() map[string]struct{} {
	set := map[string]struct{}{}
	for w := range strings.FieldsSeq(`
	a about above after again against all also am an and any are arent as at be because been before being below
	between both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each few
	for from further get got had hadnt has hasnt have havent having he hello her here hers herself hes hey hi him
	himself his how i id if ill im in into is isnt it itll its itself ive just lets me more most my myself no nor
	not now of off oh ok okay on once only or other our ours ourselves out over own same she shes should shouldnt
	so some such than that thatll thats the their theirs them themselves then there theres these they theyre
	theyve this those through to too u under until up very was wasnt we were werent weve what whats when where
	which while who whom whose why will with wont would wouldnt wow yeah yes you youd youll your youre yours
	yourself yourselves youve
	`) {
		set[w] = struct{}{}
	}
	return set
}()

// irregular maps English forms that no suffix rule covers, and a few everyday variants, to their
// base.
var irregular = map[string]string{
	"became": "become", "began": "begin", "begun": "begin", "bent": "bend", "bit": "bite", "bitten": "bite",
	"bled": "bleed", "blew": "blow", "blown": "blow", "broke": "break", "broken": "break", "bred": "breed",
	"brought": "bring", "built": "build", "burnt": "burn", "bought": "buy", "caught": "catch", "chose": "choose",
	"chosen": "choose", "came": "come", "clung": "cling", "crept": "creep", "dealt": "deal", "dug": "dig",
	"drew": "draw", "drawn": "draw", "dreamt": "dream", "drank": "drink", "drunk": "drink", "drove": "drive",
	"driven": "drive", "ate": "eat", "eaten": "eat", "fell": "fall", "fallen": "fall", "fed": "feed", "felt": "feel", "fought": "fight", "found": "find", "fled": "flee", "flew": "fly", "flown": "fly", "forbade": "forbid", "forbidden": "forbid", "forgot": "forget", "forgotten": "forget", "forgave": "forgive", "forgiven": "forgive", "froze": "freeze", "frozen": "freeze", "gave": "give", "given": "give", "went": "go", "gone": "go", "goes": "go", "grew": "grow", "grown": "grow", "hung": "hang", "heard": "hear", "hid": "hide",
	"hidden": "hide", "held": "hold", "kept": "keep", "knelt": "kneel", "knew": "know", "known": "know", "laid": "lay", "led": "lead", "leant": "lean", "leapt": "leap", "learnt": "learn", "left": "leave", "lent": "lend",
	"lit": "light", "lost": "lose", "made": "make", "meant": "mean", "met": "meet", "paid": "pay", "proven": "prove", "rode": "ride", "ridden": "ride", "rang": "ring", "rung": "ring", "rose": "rise", "risen": "rise",
	"ran": "run", "said": "say", "saw": "see", "seen": "see", "sought": "seek", "sold": "sell", "sent": "send",
	"sewn": "sew", "shook": "shake", "shaken": "shake", "shone": "shine", "shot": "shoot", "shown": "show",
	"shrank": "shrink", "shrunk": "shrink", "sang": "sing", "sung": "sing", "sank": "sink", "sunk": "sink",
	"sat": "sit", "slept": "sleep", "slid": "slide", "smelt": "smell", "spoke": "speak", "spoken": "speak",
	"sped": "speed", "spelt": "spell", "spent": "spend", "spun": "spin", "spoilt": "spoil", "stood": "stand",
	"stole": "steal", "stolen": "steal", "stuck": "stick", "stung": "sting", "struck": "strike", "stricken": "strike", "swore": "swear", "sworn": "swear", "swept": "sweep", "swollen": "swell", "swam": "swim", "swum": "swim", "swung": "swing", "took": "take", "taken": "take", "taught": "teach", "tore": "tear", "torn": "tear",
	"told": "tell", "thought": "think", "threw": "throw", "thrown": "throw", "understood": "understand", "woke": "wake", "woken": "wake", "wore": "wear", "worn": "wear", "wove": "weave", "woven": "weave", "wept": "weep",
	"won": "win", "wound": "wind", "withdrew": "withdraw", "withdrawn": "withdraw", "wrote": "write", "written": "write", "children": "child", "men": "man", "women": "woman", "people": "person", "feet": "foot", "teeth": "tooth", "geese": "goose", "mice": "mouse", "wives": "wife", "lives": "life", "knives": "knife", "leaves": "leaf", "shelves": "shelf", "wolves": "wolf", "halves": "half", "loaves": "loaf", "thieves": "thief",
	"better": "good", "best": "good", "worse": "bad", "worst": "bad", "mom": "mother", "mum": "mother", "mommy": "mother", "mama": "mother", "dad": "father", "daddy": "father", "papa": "father", "tv": "television",
	"photograph": "photo", "photographs": "photo", "photos": "photo", "kiddo": "kid", "kiddos": "kid", "jan": "january", "feb": "february", "apr": "april", "aug": "august", "sep": "september", "sept": "september",
	"oct": "october", "nov": "november", "dec": "december",
}
