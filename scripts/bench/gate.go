package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// comparison is a row of benchstat's table that has a value before and one after.
type comparison struct {
	name        string // of the package and the benchmark
	unit        string // sec/op, allocs/op and others
	old, new    float64
	significant bool
	p           string // as benchstat writes it: p=0.002 n=6
}

// rise is the change in percent. From zero, every rise is infinite.
func (c comparison) rise() float64 {
	if c.old == 0 {
		if c.new == 0 {
			return 0
		}
		return math.Inf(1)
	}
	return (c.new/c.old - 1) * 100
}

// limits are how many percent a benchmark may get worse.
type limits struct{ time, allocs float64 }

// worse lists the rows that rose significantly beyond the limits.
func (l limits) worse(rows []comparison) []string {
	var out []string
	for _, c := range rows {
		most, judged := map[string]float64{"sec/op": l.time, "allocs/op": l.allocs}[c.unit]
		if judged && c.significant && c.rise() > most {
			out = append(out, fmt.Sprintf("%s: %s rose by %.1f %% (%s), more than %v %%", c.name, c.unit, c.rise(), c.p, most))
		}
	}
	return out
}

// The columns of a row of benchstat's CSV: name, old, its interval, new, its interval, change, p.
const (
	columnName   = 0
	columnOld    = 1
	columnNew    = 3
	columnChange = 5
	columnP      = 6
	columns      = 7
)

// readComparison reads what `benchstat -format csv old new` prints. Benchmarks that only one side
// has are left out: there is nothing to judge. It fails if no row is left, because a gate that
// compares nothing would pass for ever.
func readComparison(in io.Reader) ([]comparison, error) {
	r := csv.NewReader(in)
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	var rows []comparison
	pkg, unit := "", ""
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the comparison: %w", err)
		}
		if name, ok := strings.CutPrefix(record[columnName], "pkg: "); ok {
			pkg = name[strings.LastIndex(name, "/")+1:]
		}
		if len(record) < columns {
			continue
		}
		if record[columnName] == "" {
			unit = record[columnOld] // the row of the units comes last in a table's head
			continue
		}
		c, ok := compared(record)
		if ok {
			c.name, c.unit = pkg+" "+record[columnName], unit
			rows = append(rows, c)
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("no benchmark is on both sides")
	}
	return rows, nil
}

// compared reads a row; false if one side has no value, or if it is a mean of several benchmarks.
func compared(record []string) (c comparison, ok bool) {
	if record[columnName] == "geomean" {
		return c, false
	}
	var errs [2]error
	c.old, errs[0] = strconv.ParseFloat(record[columnOld], 64)
	c.new, errs[1] = strconv.ParseFloat(record[columnNew], 64)
	// benchstat writes ~ for a change that may be chance at p=0.05.
	c.p, c.significant = record[columnP], record[columnChange] != "~"
	return c, errors.Join(errs[:]...) == nil
}
