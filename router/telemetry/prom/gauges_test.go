package prom

import "testing"

// A missing standby has a metric of its own, which returns to 0 with the standby.
func TestNoStandby(t *testing.T) {
	alone := true
	m := New(&Options{Database: func() Database { return Database{NoStandby: alone} }})
	for _, want := range []float64{1, 0} {
		gathered, err := m.registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, f := range gathered {
			switch name := f.GetName(); name {
			case "slotway_store_no_standby", "slotway_store_alone": // the second is its former name
				found[name] = true
				if got := f.Metric[0].GetGauge().GetValue(); got != want {
					t.Errorf("%s is %v, want %v", name, got, want)
				}
			}
		}
		if len(found) != 2 {
			t.Errorf("there is only %v", found)
		}
		alone = false
	}
}
