package disktest

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// change is something written but not synced.
type change struct {
	offset int64
	data   []byte // nil: cut off at the offset
}

// image writes what a folder holds after a power cut.
func (d *Disk) image(from, to string, random *rand.Rand) {
	names := d.folders[from]
	if random != nil && random.IntN(2) == 0 { // names are a page of the folder: the old one or the new one
		names = d.list(from)
	}
	for name, e := range names {
		path := filepath.Join(to, name)
		var err error
		if e.file == nil {
			if err = os.Mkdir(path, 0o700); err == nil {
				d.image(filepath.Join(from, name), path, random)
			}
		} else {
			err = os.WriteFile(path, e.file.content(random), 0o600)
		}
		if err != nil {
			d.t.Error(err)
		}
	}
}

// content returns the bytes on the disk, with a random part of what was not synced: of each page on
// its own, since nothing orders them.
func (f *file) content(random *rand.Rand) []byte {
	data := bytes.Clone(f.synced)
	if random == nil {
		return data
	}
	share := random.IntN(3) // 0: little of it
	for _, c := range f.pending {
		if random.IntN(3) > share {
			continue
		}
		if c.data != nil && random.IntN(8) == 0 { // torn between two sectors
			if torn := sector * random.IntN(len(c.data)/sector+1); torn > 0 {
				c.data = c.data[:torn]
			}
		}
		data = c.apply(data)
	}
	return data
}

const sector = 512

func (c change) apply(data []byte) []byte {
	if c.data == nil {
		if int64(len(data)) > c.offset {
			data = data[:c.offset]
		}
		return data
	}
	if end := c.offset + int64(len(c.data)); end > int64(len(data)) {
		data = append(data, make([]byte, end-int64(len(data)))...)
	}
	copy(data[c.offset:], c.data)
	return data
}
