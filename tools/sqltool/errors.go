package sqltool

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/tools"
	"modernc.org/sqlite"
)

// codes maps primary result codes of SQLite (https://sqlite.org/rescode.html) that have a meaning
// for callers; every other one is tools.Failed.
var codes = map[int]struct {
	code   tools.Code
	detail string
	retry  bool
	remedy string // what the operator can do; for errors of opening
}{
	5:          {tools.Unavailable, "the database is busy", true, "another process holds it: try again, or stop that process"},
	6:          {tools.Unavailable, "a table is locked", true, "try again"},
	8:          {tools.Denied, "a read tool must not write, or the database is read-only", false, "check the permissions of the file and its folder, and how the disk is mounted"},
	9:          {tools.Timeout, "interrupted", true, ""},
	10:         {tools.Unavailable, "disk I/O error", false, "check the disk, and the limit on the size of files (ulimit -f)"},
	11:         {tools.Unavailable, "the database is corrupt", false, "restore a backup of it"},
	13:         {tools.Unavailable, "the disk is full", false, "make room and try again"},
	cannotOpen: {tools.Unavailable, "the file cannot be opened", false, "check the path and the permissions of the file and its folder"},
	18:         {tools.InvalidInput, "a value is too big", false, ""},
	19:         {tools.Conflict, "a constraint does not allow it", false, ""},
	20:         {tools.InvalidInput, "a value has the wrong type", false, ""},
	26:         {tools.Unavailable, "the file is no database", false, "choose another path, or restore a backup of it"},
}

const cannotOpen = 14

// primary returns the primary result code of err, 0 if it is not SQLite's.
func primary(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

func busy(err error) bool { c := primary(err); return c == 5 || c == 6 }

// reason returns what went wrong without the driver's text, which may hold a path.
func reason(err error) string {
	c := primary(err)
	if known, ok := codes[c]; ok {
		if c == cannotOpen {
			known.remedy = cmp.Or(durable.TooManyOpen(), known.remedy)
		}
		if known.remedy != "" {
			return known.detail + "; " + known.remedy
		}
		return known.detail
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "timed out"
	}
	return fmt.Sprintf("SQLite code %d", c)
}

// asError converts the driver's error to a tool's. Nothing is uncertain here: what failed before
// the commit is rolled back.
func asError(tool string, err error) *tools.Error {
	var known *tools.Error
	if errors.As(err, &known) {
		return known
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return &tools.Error{
			Code: tools.Timeout, Tool: tool, Detail: "rolled back",
			Retryable: errors.Is(err, context.DeadlineExceeded), Err: err,
		}
	}
	if known, ok := codes[primary(err)]; ok {
		return &tools.Error{Code: known.code, Tool: tool, Detail: known.detail, Retryable: known.retry, Err: err}
	}
	return &tools.Error{Code: tools.Failed, Tool: tool, Detail: reason(err), Err: err}
}
