package storetest

import (
	"bytes"
	"time"

	"github.com/slotway/slotway/memory"
)

func view(key memory.Key, tier, id string, upTo int64, data string) memory.View {
	return memory.View{Key: key, Tier: tier, ID: id, UpTo: upTo, At: t0, Data: []byte(data)}
}

func (s *suite) put(want int, views ...memory.View) {
	s.Helper()
	if n, err := s.PutViews(s.Context(), views); n != want || err != nil {
		s.Errorf("PutViews of %d = %d, %v; want %d", len(views), n, err, want)
	}
}

func (s *suite) views(q memory.ViewQuery) []memory.View {
	s.Helper()
	list, err := s.Views(s.Context(), q)
	if err != nil {
		s.Fatalf("Views: %v", err)
	}
	return list
}

// texts returns the texts of views, in order.
func texts(list []memory.View) []string {
	var out []string
	for _, v := range list {
		out = append(out, string(v.Data))
	}
	return out
}

func viewsPutAndRead(s *suite) {
	s.talk(ada, 2)
	whole := view(ada, "summary", "block/1", 4, "\x00\xff binary")
	s.put(3, whole, view(ada, "summary", "block/2", 4, "second"), view(ada, "recall", "x", 4, ""))
	s.same("one view", []memory.View{whole}, s.views(memory.ViewQuery{SessionID: ada.SessionID, Prefix: "block/1"}))
	s.same("of a tier", []string{"\x00\xff binary", "second"}, texts(s.views(memory.ViewQuery{UserID: "ada", Tier: "summary"})))
	s.same("by prefix", []string{"second"}, texts(s.views(memory.ViewQuery{UserID: "ada", AgentID: "shop", SessionID: "one", Tier: "summary", Prefix: "block/2"})))
	s.same("a prefix is no pattern", []string(nil), texts(s.views(memory.ViewQuery{Tier: "summary", Prefix: "%"})))
	if _, err := s.Views(s.Context(), memory.ViewQuery{UserID: "ada"}); err == nil {
		s.Error("a query without tier and session reads everything")
	}
	_, err := s.PutViews(s.Context(), []memory.View{view(ada, "summary", "ok", 4, "x"), view(ada, "", "bad", 4, "x")})
	s.wantErr("a view without a tier", err, memory.ErrBadDelta)
	s.same("all or none", []string(nil), texts(s.views(memory.ViewQuery{Tier: "summary", Prefix: "ok"})))

	if n, err := s.DropViews(s.Context(), memory.ViewQuery{SessionID: "one", Tier: "summary", Prefix: "block/1"}); n != 1 || err != nil {
		s.Errorf("DropViews = %d, %v", n, err)
	}
	s.same("after the drop", []string{"", "second"}, texts(s.views(memory.ViewQuery{SessionID: "one"})))

	var b bytes.Buffer
	if err := s.Export(s.Context(), ada, &b); err != nil {
		s.Fatal(err)
	}
	if bytes.Contains(b.Bytes(), []byte("second")) {
		s.Error("a view is in the export")
	}
}

// What a late worker made does no harm.
func viewsFenced(s *suite) {
	s.put(0, view(ada, "summary", "a", 2, "of a session that does not exist"))
	s.start(ada, 0, step("k"))
	s.put(0, view(ada, "summary", "a", 2, "of a session that has only a journal"))
	s.talk(ada, 3)
	s.put(1, view(ada, "summary", "a", 4, "four"))
	s.put(0, view(ada, "summary", "a", 2, "two"))
	s.put(1, view(ada, "summary", "a", 4, "four again"))
	s.put(1, view(ada, "summary", "a", 6, "six"))
	s.same("the newest stands", []string{"six"}, texts(s.views(memory.ViewQuery{Tier: "summary"})))

	d := turn(s.load(ada, memory.LoadOptions{}))
	d.Clear = true
	s.commit(d)
	s.put(0, view(ada, "summary", "a", 9, "made before the session was cleared"))
	fresh := view(ada, "summary", "a", 1, "made after")
	fresh.Epoch = 1
	s.put(1, fresh)
	s.same("after Clear", []string{"made after"}, texts(s.views(memory.ViewQuery{Tier: "summary"})))
}

func viewsIsolation(s *suite) {
	eve := memory.Key{UserID: "eve", AgentID: "shop", SessionID: "one"}
	bank := memory.Key{UserID: "ada", AgentID: "bank", SessionID: "one"}
	for _, key := range []memory.Key{ada, eve, bank} {
		s.talk(key, 1)
		s.put(1, view(key, "summary", "a", 2, key.UserID+" "+key.AgentID))
	}
	s.same("by user", []string{"ada bank", "ada shop"}, texts(s.views(memory.ViewQuery{UserID: "ada", Tier: "summary"})))
	s.same("by user and agent", []string{"ada shop"}, texts(s.views(memory.ViewQuery{UserID: "ada", AgentID: "shop", Tier: "summary"})))
	s.same("by agent", []string{"ada shop", "eve shop"}, texts(s.views(memory.ViewQuery{AgentID: "shop", Tier: "summary"})))
	s.same("by session id alone", []string{"ada bank", "ada shop", "eve shop"}, texts(s.views(memory.ViewQuery{SessionID: "one"})))
	late := view(eve, "summary", "a", 2, "eve, later")
	late.At = late.At.Add(time.Minute)
	s.put(1, late)
	s.same("the newest ones", []string{"eve, later", "ada bank"}, texts(s.views(memory.ViewQuery{Tier: "summary", Newest: 2})))
	s.same("more than there are", []string{"ada bank", "ada shop"}, texts(s.views(memory.ViewQuery{UserID: "ada", Tier: "summary", Newest: 9})))
	if n, err := s.DropViews(s.Context(), memory.ViewQuery{UserID: "ada", Tier: "summary", Newest: 1}); n != 2 || err != nil {
		s.Errorf("DropViews = %d, %v", n, err)
	}
	if err := s.Delete(s.Context(), eve); err != nil {
		s.Fatal(err)
	}
	s.same("after Delete", []string(nil), texts(s.views(memory.ViewQuery{Tier: "summary"})))
}
