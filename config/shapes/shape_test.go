package shapes

import "testing"

func TestLooksLike(t *testing.T) {
	for shape, texts := range map[string][]string{
		Address: {
			"12 Oak Street, Denver 80014", "12 oak street", "5 Elm Ave", "9 Elm Street, Austin 73301", "44 Lake Road, Austin", "Hauptstraße 5, Berlin", "PO Box 12, Leeds",
			"Flat 3, The Mill, Bath", "221b Baker Street London", "77 Sunset Blvd apt 4", "1 Main St.", "10 Downing Street, London SW1A 2AA", "3-5 High Road", "12 Main Street\nDenver", "Calle Mayor 5, Madrid",
		},
		Name: {"Ada Lovelace", "ada lovelace", "Bob", "Will Smith", "Jean-Luc Picard", "Anna de la Cruz", "O'Brien", "José García", "Stop & Shop", "mary ann jones"},
		Sentence: {
			"my screen is black", "it crashes when i open it", "not working", "the box arrived broken", "When I open an attachment it crashes", "i lost my card at the station", "please ring twice",
			"printer jammed", "because the screen went dark", "i forgot my password yesterday",
		},
		Title: {"Art Block", "Stop & Shop", "call mom", "The Art of War", "budget for 2027", "Help Wanted"},
		Code:  {"XK42LP", "AB 12 34", "1234"},
		"":    {"blue", "something with flowers", "two blue ones"},
	} {
		for _, text := range texts {
			if !LooksLike(shape, text) {
				t.Errorf("%q does not look like %q", text, shape)
			}
		}
	}
	for shape, texts := range map[string][]string{
		Address: {
			"", "maybe another day", "number 14", "14", "Denver", "no thank you, maybe another day", "i moved to 12 Oak Street", "is it 12 Oak Street?", "the same as before", "3 pizzas", "5, please", "not 12 Oak Street",
			"wait 5 minutes", "where is 12 Oak Street", "one sec", "it is wrong", "O-20223", "at 5",
		},
		Name: {
			"", "i don't know", "no", "why do you need it", "one sec", "cancel my order", "not telling", "12", "Thank You", "it is a gift for my mother", "never mind", "ok", "wait", "what?", "ada@example.com", "to a different address",
		},
		Sentence: {
			"", "no", "broken", "one sec", "let me think", "not sure", "i don't know", "why do you need that", "is it safe?", "what is this", "no thanks", "never mind", "i'd rather not say", "the same as last time", "i lost it", "hold on a second please",
			"just a moment", "i already told you", "thanks a lot", "can you help me", "what's that",
		},
		Title: {"", "no", "what is that", "not sure", "one sec", "skip it", "i don't know", "why?"},
		Code:  {"", "no idea", "i don't have 1", "abc"},
		"":    {"", "no", "what is it", "one sec", "idk", "ok"},
	} {
		for _, text := range texts {
			if LooksLike(shape, text) {
				t.Errorf("%q looks like %q", text, shape)
			}
		}
	}
}
