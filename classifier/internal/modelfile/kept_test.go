package modelfile

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type thing struct {
	Name    string
	Numbers Packed[float32]
	Small   Packed[int8]
	None    Packed[uint64]
}

func TestLoadGivesWhatWasKept(t *testing.T) {
	want := thing{Name: "lamp", Numbers: Packed[float32]{1.5, -2, 0}, Small: Packed[int8]{-127, 0, 9}}
	data, err := Keep("magic1", want)
	if err != nil {
		t.Fatal(err)
	}
	var got thing
	if !Load(data, "magic1", &got) {
		t.Fatal("not loaded")
	}
	if len(got.None) > 0 {
		t.Error("numbers came from nowhere")
	}
	got.None = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-kept +loaded):\n%s", diff)
	}
}

// FuzzLoad changes a byte, cuts, or gives other data: it is refused, never half read.
func FuzzLoad(f *testing.F) {
	data, err := Keep("magic1", thing{Name: "lamp", Numbers: make([]float32, 20)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:len(data)/2])
	f.Add(append(bytes.Clone(data), 0))
	f.Add(bytes.Replace(data, []byte("lamp"), []byte("damp"), 1))
	f.Add([]byte("magic1"))
	f.Fuzz(func(t *testing.T, other []byte) {
		var got thing
		if Load(other, "magic1", &got) && !bytes.Equal(other, data) && got.Name == "lamp" {
			t.Errorf("%q was loaded", other)
		}
	})
}
