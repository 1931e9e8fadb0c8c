package language

import "testing"

func TestFold(t *testing.T) {
	for _, tc := range [][3]string{
		{"de", "Für", "fuer"},
		{"de", "fuer", "fuer"},
		{"de", "nööö", "noe"},
		{"de", "GRÜSSE", "gruesse"},
		{"de", "Grüße", "gruesse"},
		{"de", "scho\u0308n", "schoen"},
		{"fr", "Ça", "ca"},
		{"fr", "œuf", "oeuf"},
		{"es", "Sí, mañana", "si, manana"},
		{"es", "fue", "fue"},
	} {
		if got := Fold(tc[0], tc[1]); got != tc[2] {
			t.Errorf("Fold(%s, %q) = %q, want %q", tc[0], tc[1], got, tc[2])
		}
	}
}
