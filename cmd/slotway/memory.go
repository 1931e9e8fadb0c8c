package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/memory"
)

func newMemory(f *flags) *cobra.Command {
	k := &sessionStore{flags: f}
	cmd := &cobra.Command{
		Use: "memory",
		Example: `  slotway memory stats --user ann
  slotway memory search 'the blue kettle'`,
		Short: "Maintain the tiers of memory by hand",
	}
	cmd.PersistentFlags().BoolVar(&k.json, "json", false, "JSON instead of a table")
	addID(cmd.PersistentFlags(), &k.user, "user", "local", "user that the sessions belong to; of jobs: all if it is not given")
	cmd.PersistentFlags().BoolVar(&k.reveal, "reveal", false, "show the values of redaction.params instead of masks")
	return group(cmd, k.search(), k.context(), k.summarize(), k.reindex(), k.stats(), k.jobs(),
		k.archiveSession(), k.documents(), k.addDocuments())
}

func (k *sessionStore) jobs() *cobra.Command {
	var query memory.JobQuery
	var retry bool
	cmd := &cobra.Command{Use: "jobs", Example: "  slotway memory jobs\n  slotway memory jobs --dead --retry", Short: "List background jobs, the longest due first; --retry makes dead jobs due again", Args: noArgs}
	addID(cmd.Flags(), &query.SessionID, "session", "", "only of this session")
	cmd.Flags().StringVar(&query.Kind, "kind", "", "only of this kind")
	cmd.Flags().BoolVar(&query.Dead, "dead", false, "only dead jobs, which failed too often")
	cmd.Flags().IntVar(&query.Limit, "limit", 100, "maximum number of jobs")
	cmd.Flags().BoolVar(&retry, "retry", false, "make the dead jobs of the list due again")
	return k.run(cmd, func(o *opened, _ []string) error {
		out := o.out
		if o.cmd.Flags().Changed("user") {
			query.UserID = k.user
		}
		if retry {
			n, err := o.store.Revive(o.ctx, query, time.Now())
			if err == nil {
				fmt.Fprintf(out, "%d jobs are due again\n", n)
			}
			return err
		}
		list, err := o.store.Jobs(o.ctx, query)
		if err != nil {
			return err
		}
		return listing(out, k.json, "KIND\tSESSION\tUSER\tDUE\tFAILED\tSTATE\tLAST ERROR", list, func(j *memory.Job) []any {
			return []any{j.Kind, j.Key.SessionID, j.Key.UserID, j.RunAt.Format(time.RFC3339), j.Attempts, jobState(j), orNone(j.Code)}
		})
	})
}

// jobState returns the state of a job.
func jobState(j *memory.Job) string {
	switch {
	case j.Dead:
		return "dead"
	case j.Token != "":
		return "taken"
	}
	return "waiting"
}
