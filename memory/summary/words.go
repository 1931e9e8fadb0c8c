package summary

import "strings"

// set returns a lookup table of a list of words.
func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// Word lists of the salience features, in lower case without apostrophes.
var (
	// stopWords have no content of their own.
	stopWords = set(`a about above after again all also am an and any are as at be because been before
		being below between both but by can cannot could couldnt did didnt do does doesnt doing dont down during each
		even few for from further get gets getting got had hadnt has hasnt have havent having he her here hers him his
		how i id if ill im in into is isnt it its itself ive just lets like lot lots make makes many may me might more
		most much must my myself no nor not now of off oh on once one only or other our ours out over own really same
		say she should so some something still such than that thats the their them then there theres these they
		theyre thing things this those through to too under until up us very was wasnt way we well were weve what whats
		when where which while who whom why will with wont would wouldnt yeah yes yet you your youre yours youve`)

	// phatic words keep a conversation going and say little.
	phatic = set(`absolutely agree aw awesome aww awww amazing beautiful best bye care cheers congrats congratulations
		cool cute definitely enjoy exactly excited exciting fantastic glad goodness good gorgeous gotta great haha
		happy hello hear hearing hey hi hope impressive incredible inspiring interesting keep know lol lovely luck nice
		no ok okay omg perfect please pleased pretty proud really right sharing soon sorry sounds stunning super sure take
		talk terrific thank thanks thx totally true understand way welcome wonderful wow yay yeah yep yes yup`)

	// vague words judge or generalise: they fit anywhere.
	vague = set(`amount anything appreciate bet big bit boost bring brings calm chance cheer chill day easy energy
		enough entire everyone everything experience extra feel feeling feelings feels fun glad grateful guess hard heart
		help helped helpful helps important joy kind life little long looking looks love loved magical makes matter
		mean means meant memories memory mind moment moments motivation motivated new old part peace peaceful people
		person place positive possible power powerful progress ready relax relaxing relieving remind reminder reminds
		reward rewarding see seeing seem seems special spirit started stuff support supportive thankful think thinking
		thought time times together tough try trying unique use useful vibe way whole wish wonder work world worth`)

	// lendsWeight holds adverbs of emphasis.
	lendsWeight = set(`absolutely actually basically definitely honestly just literally quite really so super totally
		truly very`)

	firstPerson  = set(`i im ive id ill my mine me myself we weve our ours us`)
	secondPerson = set(`you your youre yours youve youd yourself`)
	thirdPerson  = set(`he she they it him her them his hers their its this that these those`)

	// dated words refer to a time.
	dated = set(`yesterday today tonight tomorrow morning afternoon evening weekend week weeks month months year years
		day days hour hours ago last next recently monday tuesday wednesday thursday friday saturday sunday january
		february march april may june july august september october november december spring summer autumn fall winter
		christmas easter halloween thanksgiving birthday anniversary since until deadline`)

	// kin are people and animals close to the speaker.
	kin = set(`mom mum mother dad father parents brother sister son daughter kid kids child children baby wife husband
		partner boyfriend girlfriend fiance grandma grandpa grandmother grandfather aunt uncle cousin niece nephew friend
		friends family dog dogs cat cats puppy kitten pet pets roommate neighbor neighbour boss coworker colleague
		colleagues mentor coach teacher doctor`)

	// events are past forms of verbs for things that happened or began.
	events = set(`adopted applied arrived asked attended baked became began booked bought broke brought built called
		came canceled cancelled caught celebrated changed chose climbed completed cooked created crossed decided delivered
		did designed discovered donated drove earned ended entered fell felt finished fixed flew found gave got graduated
		grew happened helped hiked hired hosted hurt injured inspired installed joined launched learned learnt left lost
		made married met missed moved named opened ordered organized painted paid passed performed picked planned planted
		played posted practiced presented promised published quit raced raised ran read realized received recommended
		registered returned sent set shared shot showed signed sold spent started stopped studied swam taught took tried
		turned visited volunteered walked watched went won wore worked wrote`)

	// constraints are words of conditions and refusals.
	constraints = set(`never cannot cant wont allergic allergy unless except only must avoid afraid hate vegan vegetarian
		gluten lactose medication wheelchair however but instead although`)

	// belongings are nouns of facts about a person: work and study, possessions and places.
	belongings = set(`job work career company business project school college university class course degree exam
		certificate team club group game tournament competition race contest award prize house home apartment city town
		country trip travel vacation beach park museum restaurant store shop studio gym car bike guitar piano violin
		book books movie film series song songs album band concert festival event party wedding recipe cake
		art painting pottery photo picture camera garden hike camp camping yoga dance dancing painting drawing
		charity shelter church hospital accident surgery interview conference workshop meeting appointment order account
		price cost budget address phone email`)
)
