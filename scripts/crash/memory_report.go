package main

import (
	"fmt"
	"io"
)

// memoryReport is what a run of the memory's part found. The counts of what must not
// happen come first.
type memoryReport struct {
	Cycles           int `json:"cycles"`
	Acknowledged     int `json:"acknowledged"`          // turns that a client was given the reply of
	Lost             int `json:"lost"`                  // acknowledged, but not stored, or with another reply
	Reordered        int `json:"reordered"`             //
	Strange          int `json:"strange"`               // turns that no client knows
	Stuck            int `json:"stuck"`                 // sessions that do not answer any more
	JobsLost         int `json:"jobs_lost"`             // never done, or their work is not there
	BlocksOverlap    int `json:"blocks_overlapping"`    // of a summary: a gap, an overlap, or a wrong count of messages
	BlocksChanged    int `json:"blocks_changed"`        // that were seen once and are something else now
	DocumentsOverlap int `json:"documents_overlapping"` // of the archive: as for blocks
	Uncovered        int `json:"uncovered"`             // messages that are neither told verbatim nor covered
	VectorsMissing   int `json:"vectors_missing"`       // messages without exactly one vector
	ReindexDiffers   int `json:"reindex_differs"`       // sessions that a reindex changed, or that it was not done with in the end
	ImportDiffers    int `json:"import_differs"`        // sessions that differ after imports that were cut off
	Ungraceful       int `json:"ungraceful"`            // exits on SIGTERM that were not clean

	JobsDead     int     `json:"jobs_dead"`     // given up after their workers were killed, and brought back by hand
	Messages     int     `json:"messages"`      //
	Blocks       int     `json:"blocks"`        // of summaries
	Documents    int     `json:"documents"`     // of the archive
	KillsInWork  int     `json:"kills_in_work"` // while the model server was asked
	ReindexKills int     `json:"reindex_kills"` //
	ImportKills  int     `json:"import_kills"`  //
	Retries      int     `json:"retries"`       //
	Sessions     int     `json:"sessions"`      //
	Seed         uint64  `json:"seed"`          //
	Seconds      float64 `json:"seconds"`       //

	notes []string // about what is wrong, for people
}

// take copies what the clients' side found.
func (r *memoryReport) take(from *report) {
	r.Acknowledged, r.Lost, r.Reordered, r.Strange, r.Stuck = from.Acknowledged, from.Lost, from.Reordered, from.Strange, from.Stuck
	r.Lost += from.ReplaysDiffer
	r.KillsInWork, r.Retries, r.Sessions, r.notes = from.KillsInWrites, from.Retries, from.Sessions, from.notes
}

func (r *memoryReport) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// Violations implements harness.Report.
func (r *memoryReport) Violations() []string {
	bad := counted(r.Seed, []count{
		{r.Lost, "acknowledged turns are lost"},
		{r.Reordered, "turns are out of order"},
		{r.Strange, "turns are stored that no client knows"},
		{r.Stuck, "sessions are stuck"},
		{r.JobsLost, "jobs are lost"},
		{r.BlocksOverlap, "blocks of summaries do not follow one another"},
		{r.BlocksChanged, "blocks of summaries have changed"},
		{r.DocumentsOverlap, "archived documents do not follow one another"},
		{r.Uncovered, "messages are neither told nor covered"},
		{r.VectorsMissing, "messages do not have one vector"},
		{r.ReindexDiffers, "sessions were harmed by a reindex, or not done"},
		{r.ImportDiffers, "sessions differ after an import"},
		{r.Ungraceful, "services did not stop cleanly when they were asked to"},
	})
	for _, c := range []struct {
		n, least int
		what     string
	}{
		{r.Acknowledged, r.Cycles * minLoad, "turns were acknowledged"},
		{r.Blocks, r.Cycles, "blocks were made"},
		{r.Documents, r.Sessions / 4, "documents were made"},
		{r.KillsInWork, r.Cycles / 3, "kills hit work under way"},
	} {
		bad.If(c.n < c.least, fmt.Sprintf("only %d %s, %d are needed to show anything", c.n, c.what, c.least))
	}
	return bad
}

func (r *memoryReport) complaints() []string { return r.notes }

// Print implements harness.Report.
func (r *memoryReport) Print(out io.Writer) {
	fmt.Fprintf(out, "%d cycles, %d turns acknowledged in %d sessions; %d blocks, %d documents, %d kills in their making\n",
		r.Cycles, r.Acknowledged, r.Sessions, r.Blocks, r.Documents, r.KillsInWork)
	fmt.Fprintf(out, "turns lost %d, jobs lost %d, blocks overlapping %d, documents overlapping %d, messages uncovered %d\n",
		r.Lost, r.JobsLost, r.BlocksOverlap, r.DocumentsOverlap, r.Uncovered)
}
