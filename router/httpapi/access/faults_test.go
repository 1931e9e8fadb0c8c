package access

import (
	"errors"
	"testing"

	"github.com/slotway/slotway/internal/test/faulttest"
)

// TestKeyServerFaults goes through every fault: nobody gets in, the operator is told of it
// without the URL and without what was answered, and nobody is asked again at once.
func TestKeyServerFaults(t *testing.T) {
	for _, f := range faulttest.Faults() {
		t.Run(f.Name, func(t *testing.T) {
			server := faulttest.Start(t, f, nil)
			var told []error
			keys := newRemoteKeys(server.URL, func(err error) { told = append(told, err) }, newClock().now)
			if f.Silent {
				keys.timeout = faulttest.Short
			}
			for range 2 {
				if found, err := keys.find("rsa"); !errors.Is(err, ErrUnavailable) || found != nil {
					t.Errorf("%d keys, %v; want %v", len(found), err, ErrUnavailable)
				}
			}
			if len(told) != 1 {
				t.Fatalf("told %d times", len(told))
			}
			server.Check(t, told[0])
			if f.Arrives && server.Asked() != 1 {
				t.Errorf("asked %d times", server.Asked())
			}
		})
	}
}
