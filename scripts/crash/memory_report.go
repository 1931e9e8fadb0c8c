package main

import (
	"fmt"
	"io"
)

// memoryReport holds the findings of a run with -memory. The counts up to Ungraceful must be zero.
type memoryReport struct {
	Cycles           int `json:"cycles"`
	Acknowledged     int `json:"acknowledged"`          // turns whose reply reached a client
	Lost             int `json:"lost"`                  // acknowledged turns that are not stored, or with another reply
	Reordered        int `json:"reordered"`             //
	Strange          int `json:"strange"`               // turns that no client knows
	Stuck            int `json:"stuck"`                 // sessions that no longer answer
	JobsLost         int `json:"jobs_lost"`             // never done, or without a result
	BlocksOverlap    int `json:"blocks_overlapping"`    // of summaries: a gap, an overlap, or a wrong count of messages
	BlocksChanged    int `json:"blocks_changed"`        // blocks that changed after they were seen
	DocumentsOverlap int `json:"documents_overlapping"` // of the archive: as for blocks
	Uncovered        int `json:"uncovered"`             // messages in no window, summary or document
	VectorsMissing   int `json:"vectors_missing"`       // messages without exactly one vector
	ReindexDiffers   int `json:"reindex_differs"`       // sessions that a reindex changed or did not finish
	ImportDiffers    int `json:"import_differs"`        // sessions that differ after interrupted imports
	Ungraceful       int `json:"ungraceful"`            // unclean exits on SIGTERM

	JobsDead     int     `json:"jobs_dead"`     // dead after killed workers, and retried by command
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

	notes []string // details of violations
}

// take copies the findings about the clients.
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
