package extract

import "testing"

// TestDollarOfPesos reads the sign of the dollar as people mean it where they pay in pesos.
func TestDollarOfPesos(t *testing.T) {
	for tag, want := range map[string]string{"es-MX": "500.00 MXN", "es-AR": "500.00 ARS", "es-ES": "500.00 USD", "es-US": "500.00 USD"} {
		got := Recognize("cuesta $500", now, &Options{Language: tag})
		if len(got) != 1 || got[0].Value != want {
			t.Errorf("%s: %+v, want %s", tag, got, want)
		}
	}
}
