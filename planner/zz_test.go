package planner
import ("testing";"fmt")
func TestZZ(t *testing.T){
	b := newBench(t)
	b.say(asks("status"))
	email := Value{Param: "email", Value: "a@b.example", Source: "builtin", Confidence: 1}
	b.turn++; b.st.SetClock(b.turn,b.now)
	a:=Read(b.def,b.st,asks("price", email))
	fmt.Printf("%+v\n",a)
	b2 := newBench(t)
	b2.say(asks("call_off", order("O-1"))); b2.say(does("skip"))
	b2.turn++; b2.st.SetClock(b2.turn,b2.now)
	a=Read(b2.def,b2.st,Heard{
					Text: "yes, and where is O-2", Lead: "affirm", LeadEnd: 5, Intent: "status", Confidence: 0.9, Ranking: []Score{{"status", 0.9}},
					Values: []Value{{Param: "order_id", Value: "O-2", Text: "O-2", Start: 18, End: 21, Source: "pattern", Confidence: 1}},
				})
	fmt.Printf("%+v\n",a)
}
