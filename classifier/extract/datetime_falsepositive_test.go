package extract

import (
	"slices"
	"testing"

	"github.com/slotway/slotway/classifier"
)

// TestNoTimeThere holds messages in which nothing is a time, a range or a recurrence,
// however much a word of them looks like one.
func TestNoTimeThere(t *testing.T) {
	x := New(rangeAgent(timeKinds...), nil)
	for _, text := range []string{
		// modal and other verbs
		"may I ask you something", "you may go", "it may rain", "this may not work", "I may or may not come", "may be", "who may enter",
		"may we pay by card", "it may 4 or 5 of us", "march on", "they march to the drum", "march 4 people in", "to march or to stay", "we march",
		"I sat on the chair", "sat down and waited", "he sat in the back", "the sun is shining", "sun cream", "the sun and the moon",
		"we wed in style", "I second that", "please hold on", "let it fall", "prices may fall", "spring water", "a spring in my step", "don't spring it on me",
		"the first thing I noticed", "first come, first served", "last but not least", "next one please", "the next item", "the last one", "this one",
		// counts, ids and measures
		"order 12345", "order 2019", "my order number is 2018", "room 1130", "room 2024", "version 2.0", "version 10.4.2", "call me at extension 4", "extension 1230",
		"gate 12", "flight 2130", "bus 7 to 9", "page 10 to 12", "chapters 3-5", "table for 4", "a party of 6", "2 to 4 people", "there are 5 of us",
		"between 3 and 5 items", "from 10 to 20 dollars", "between 1500 and 2000 euros", "2000 to 3000 units", "by 5 percent", "up to 10", "before 3 people left",
		"size 8 to 10", "score was 3-2", "it is 3/4 full", "1/2 cup", "a ratio of 4:3 is fine by me?", "ratio 16/9", "24/7", "I need 3 of them", "5'10",
		"a loan of 2000", "$2019", "2020 dollars", "about 1950 people", "the top 1990 results", "10 stars", "call 555 1234", "pin 1984", "code 2012-A", "model 2016X",
		"A4", "Q&A", "h2o", "q", "h", "covid 19", "iphone 12", "windows 10 or later", "python 3 or later", "3 or later", "no later", "5 and after",
		// idioms
		"second opinion", "second hand", "one second", "just a second", "give me a sec", "one moment", "a moment please", "wait a minute", "just a minute",
		"in the first place", "at first", "at last", "at least", "at all", "after all", "before that", "since you asked", "until then", "by the way", "by mistake",
		"half the price", "it's half full", "quarter pounder", "a quarter of the people", "two quarters", "the other half", "better half", "first half of the game",
		"once again", "once upon a", "at once", "all at once", "every one of them", "each of us", "every time", "everyday low prices", "any time", "some time",
		"good morning", "good evening", "good night", "good afternoon to you", "morning!", "night owl", "dinner for two", "lunch box", "have a nice day", "have a great week", "nice day",
		"the day's special", "end of the line", "end of story", "beginning of the road", "start of the queue", "the middle of nowhere", "rest of us", "rest of the order",
		"early bird", "late fee", "later", "see you later", "sooner or later", "earlier order", "around the corner", "from top to bottom", "from A to B",
		"up-to-date", "to date her", "a date with you", "due to", "the past is past", "past orders", "past due", "last name", "next door", "next step",
		"mayor of the town", "augustine", "summery", "decent", "satellite", "monetary", "thursty", "junk", "sepia",
		"easterly wind", "christmassy", "fridge", "weekendish", "yearling", "minutely detailed", "our monthy python",
		"it costs 3 to 5 dollars", "3-5 business cards", "give me 2 more", "4 by 6 prints", "from 1 to 5 stars", "the 3 to 1 odds", "2 for 1", "one by one", "two by two",
		"I need help with order 20181012", "my tracking number is 2019 1130 4521", "lot 7, row 3", "unit 12-4", "apartment 5-9", "channel 5.12", "IP 10.0.0.1", "chapter 11",
		"the May family", "call April", "June is my sister", "Jan said hello", "ask Mark or August", "my friend Sunny", "Augusta, Georgia", "Wednesbury", "Friday's",
		"noted", "nothing in the bag", "by hand", "by the book", "by name", "until you come", "before the door", "after the door", "since it broke", "between you and me",
		"between the lines", "from here to there", "each item", "every customer", "all of it", "all items", "every other customer", "once more", "twice as much", "three times the price",
		"half a cup", "half off", "quarter of it", "the whole thing", "another one", "a few things", "several items", "a couple of things", "few people", "rest assured", "the end", "endless",
		"in the end", "in the middle", "at the end of the street", "at the start", "start over", "beginning to see", "starting over", "ending it", "up to you", "as early",
		"step 1 to 3", "apples, since 4 is enough", "by bus", "by 2 people", "after me", "before you go", "since forever", "while at it", "on 5 of them", "on 2.5 tons",
	} {
		for _, e := range Recognize(text, now, nil) {
			if slices.Contains(timeKinds, e.Kind) {
				t.Errorf("Recognize(%q) finds %s %q = %v", text, e.Kind, e.Text, e.Value)
			}
		}
		for _, v := range x.Extract(classifier.Input{Text: text, Now: now}, nil) {
			t.Errorf("Extract(%q) fills %s with %q = %v", text, v.Param, v.Text, v.Value)
		}
	}
}
