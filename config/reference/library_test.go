package reference

import (
	"errors"
	"testing"
)

const testTexts = `
shop: {meaning: A shop. It sells., example: "shop: {}"}
shop.items: {meaning: What it sells., example: "items: []"}
shop.items.price: {meaning: What it costs., example: "price: 2", see: [shop]}
stall: {meaning: A small shop., example: "stall: {}", extends: shop}
stall.owner: {meaning: Who sells., example: "owner: Ann"}
`

func testLibrary(t *testing.T) *Library {
	t.Helper()
	texts := MustTexts("test.yaml", []byte(testTexts))
	a := &Area{Name: "agent", Title: "Things", Intro: "All things."}
	for _, key := range []string{"shop", "shop.items", "shop.items.price", "stall", "stall.items", "stall.items.price", "stall.owner"} {
		a.Entries = append(a.Entries, texts.Fill("agent", "", key))
	}
	a.Entries[0].Named, a.Entries[1].Listed = true, true
	return NewLibrary(a)
}

func TestFind(t *testing.T) {
	l := testLibrary(t)
	for query, want := range map[string]string{
		"shop.items.price": "shop.items.price", "shop.corner.items[3].price": "shop.items.price", "owner": "stall.owner",
		"price": "shop.items.price", "stall.items": "stall.items", "items.price": "shop.items.price",
	} {
		e, err := l.Find(query)
		if err != nil || e.Key != want {
			t.Errorf("Find(%q) = %v, %v, want %s", query, e, err, want)
		}
	}
	var missing *MissingError
	if _, err := l.Find("shop.items.prise"); !errors.As(err, &missing) || len(missing.Near) == 0 || missing.Near[0] != "shop.items.price" {
		t.Errorf("got %v", err)
	}
	if e := l.Entry("stall.items.price"); e.From != "shop.items.price" || e.Meaning != "What it costs." {
		t.Errorf("an extended key has %+v", e)
	}
}

func TestWrap(t *testing.T) {
	got := Wrap("one two three four five six seven eight nine", "  ", 32)
	if want := "  one two three four five six\n  seven eight nine"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
