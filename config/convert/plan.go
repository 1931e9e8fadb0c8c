package convert

// writePlan writes steps below a key; nothing if there are none.
func writePlan(y *yamlFile, key string, plan []*Step) (err error) {
	if len(plan) == 0 {
		return nil
	}
	y.elements(key, len(plan), func(i int) ([]Open, func()) {
		return plan[i].Open, func() { err = firstOf(err, plan[i].write(y)) }
	})
	return err
}

func (s *Step) write(y *yamlFile) (err error) {
	y.text("when", s.When)
	y.text("ask", s.Ask)
	y.text("confirm", s.Confirm)
	y.text("denied", s.Denied)
	y.text("respond", s.Respond)
	y.text("handoff", s.Handoff)
	y.text("call", s.Call)
	y.text("run", s.Run)
	if len(s.With) > 0 {
		key := "with"
		if s.Set {
			key = "set"
		}
		y.under(key, func() {
			for _, a := range s.With {
				err = firstOf(err, y.value(a.Name, a.Value))
			}
		})
	}
	y.text("save", s.Save)
	if len(s.Saves) > 0 {
		y.under("save", func() {
			for _, a := range s.Saves {
				err = firstOf(err, y.value(a.Name, a.Value))
			}
		})
	}
	err = firstOf(err, writePlan(y, "then", s.Then))
	err = firstOf(err, writePlan(y, "else", s.Else))
	y.flag("end", s.End)
	return err
}
