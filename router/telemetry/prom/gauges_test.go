package prom

import "testing"

// That no standby confirms is a figure of its own, which goes back when one does.
func TestStoreAlone(t *testing.T) {
	alone := true
	m := New(&Options{Database: func() Database { return Database{NoStandby: alone} }})
	for _, want := range []float64{1, 0} {
		gathered, err := m.registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range gathered {
			if f.GetName() == "slotway_store_alone" {
				found = true
				if got := f.Metric[0].GetGauge().GetValue(); got != want {
					t.Errorf("slotway_store_alone is %v, want %v", got, want)
				}
			}
		}
		if !found {
			t.Error("there is no slotway_store_alone")
		}
		alone = false
	}
}
