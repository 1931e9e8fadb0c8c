package config

import (
	"testing"

	"github.com/slotway/slotway/config/shapes"
)

func TestGuessShape(t *testing.T) {
	text := &Type{Name: "text", Builtin: "text"}
	for _, test := range []struct {
		name, label, want string
	}{
		{"address", "new address", shapes.Address},
		{"ship_to", "street", shapes.Address},
		{"recipient_address", "", shapes.Address},
		{"payee", "", shapes.Name},
		{"your_name", "your name", shapes.Name},
		{"note", "note for the driver", shapes.Sentence},
		{"reason", "", shapes.Sentence},
		{"subject", "", shapes.Title},
		{"colour", "colour", ""},
		{"serial", "serial number", shapes.Code},
	} {
		if got := GuessShape(&Param{Name: test.name, Label: test.label, Type: text}); got != test.want {
			t.Errorf("GuessShape(%s, %s) = %q, want %q", test.name, test.label, got, test.want)
		}
	}
	if got := GuessShape(&Param{Name: "name", Type: &Type{Name: "size", Values: []EnumValue{{Value: "big"}}}}); got != "" {
		t.Errorf("an enumeration has the shape %q", got)
	}
}
