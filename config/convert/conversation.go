package convert

// tests returns the text of the conversations.
func (b *Bot) tests() (string, error) {
	y := &yamlFile{}
	y.comment("Imported conversations. Run them with `slotway test`.")
	var err error
	for i, c := range b.Tests {
		if i > 0 {
			y.line("---")
		}
		err = firstOf(err, c.write(y))
	}
	return y.b.String(), err
}

func (c *Conversation) write(y *yamlFile) (err error) {
	y.todo(c.Open)
	y.text("conversation", c.Name)
	y.line("agent: ../" + AgentFile)
	if len(c.Tools) > 0 {
		y.under("tools", func() {
			for _, s := range c.Tools {
				y.line(s.Tool + ":")
				for _, result := range s.Results {
					y.item(func() { err = firstOf(err, y.value("result", result)) })
				}
			}
		})
	}
	y.elements("turns", len(c.Turns), func(i int) ([]Open, func()) {
		if c.Turns[i].Supplied {
			y.depth++
			y.comment("supplied: the source says that its bot learns this, not how")
			y.depth--
		}
		return c.Turns[i].Open, func() { err = firstOf(err, c.Turns[i].write(y)) }
	})
	return err
}

func (t *Turn) write(y *yamlFile) (err error) {
	y.text("user", t.User)
	if !t.Checked() {
		return nil
	}
	y.under("expect", func() {
		y.text("intent", t.Intent)
		y.text("asked", t.Asked)
		if t.Idle {
			y.line("asked: null")
		}
		y.names("calls", t.Calls)
		y.flag("confirming", t.Confirm)
		y.flag("handoff", t.Handoff)
		y.texts("reply_contains", t.Contains)
		y.texts("reply_matches", t.Matches)
		if len(t.Params) > 0 {
			y.under("params", func() {
				for _, p := range t.Params {
					err = firstOf(err, y.value(p.Name, p.Value))
				}
			})
		}
	})
	return err
}

// Checked reports whether the turn expects anything.
func (t *Turn) Checked() bool {
	return t.Intent != "" || t.Asked != "" || t.Idle || t.Confirm || t.Handoff || len(t.Calls)+len(t.Contains)+len(t.Matches)+len(t.Params) > 0
}
