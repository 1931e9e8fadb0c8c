package recall

// Stats counts what is in memory.
type Stats struct {
	Scopes   int            `json:"scopes"` // users with an agent
	Sessions int            `json:"sessions"`
	Messages int            `json:"messages"`
	Terms    int            `json:"terms"`
	Bytes    int64          `json:"bytes"`   // approximate
	Vectors  map[string]int `json:"vectors"` // by model
}

// Stats counts what the tier has in memory, not what is only in the store.
func (t *Tier) Stats() Stats {
	all, _ := t.scopes.All()
	s := Stats{Scopes: len(all), Vectors: map[string]int{}}
	for _, sc := range all {
		sc.mu.RLock()
		s.Sessions += len(sc.x.ids)
		s.Messages += len(sc.x.docs) - sc.x.dead
		s.Terms += len(sc.x.lists)
		s.Bytes += sc.x.size()
		for i, m := range sc.x.meaning {
			s.Vectors[t.opts.Embedders[i].Model()] += m.have
		}
		sc.mu.RUnlock()
	}
	return s
}
