package sqlite

// A commit of any process changes the header of the WAL index, which lies at the beginning of the
// -shm file, twice (https://www.sqlite.org/walformat.html#walidxfmt). SQLite itself compares it to
// learn whether the pages that it has cached are still true (walIndexTryHdr). So does the cache of
// sessions: a look at it costs some nanoseconds, a query for the version of a session thousands.

// indexHeader is the header of the WAL index, in words of 32 bits.
type indexHeader [12]uint32

// commits counts the commits of all processes, modulo 2^32: each adds one.
func (h *indexHeader) commits() uint32 { return h[2] }

// initialised reports that the header holds something; zeros have no size of pages.
func (h *indexHeader) initialised() bool { return h[3] != 0 }
