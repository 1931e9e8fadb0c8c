package extract

import (
	"testing"
)

// TestPeopleByTwosAndInPart: a couple is two people, and some of who comes are not all.
func TestPeopleByTwosAndInPart(t *testing.T) {
	checkHeard(t, New(inn(), nil), []heardCase{
		{"guests", "we're 2 couples and my gran", "guests", "5"},
		{"", "we're 2 couples and my gran", "guests", "5"},
		{"guests", "3 couples", "guests", "6"},
		{"", "a room for two couples", "guests", "4"},
		{"guests", "a couple and their kid", "guests", "3"},
		{"guests", "my wife and another couple", "guests", "3"},
		{"guests", "me and a couple of friends", "guests", "3"},
		{"guests", "two of us", "guests", "2"},
		{"guests", "two of us please", "guests", "2"},
		{"guests", "two of us at 7", "guests", "2"},
		{"", "there are two of us", "guests", "2"},
		{"", "a room for two of us", "guests", "2"},
		{"", "the two of us would like a room", "guests", "2"},
		{"", "hi, the 2 of us want to stay", "guests", "2"},
		{"", "ok the two of us are coming", "guests", "2"},

		{"guests", "one of us can't eat nuts", "guests", ""},
		{"", "one of us can't eat nuts", "guests", ""},
		{"guests", "two of us are vegan", "guests", ""},
		{"guests", "4, two of us are vegan", "guests", "4"},
		{"guests", "three of them are vegetarian", "guests", ""},
		{"guests", "2 of my friends can't come", "guests", ""},
		{"", "a couple of days", "guests", ""},
		{"", "a couple days later", "guests", ""},
		{"quantity", "3 of them", "quantity", "3"},
	})
}
