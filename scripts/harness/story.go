package harness

import "math/rand/v2"

var (
	who  = []string{"Petra", "the baker", "my neighbour Tom", "our landlord", "Aunt Vera", "the harbour master"}
	did  = []string{"sold the blue canoe", "decided to repaint the staircase", "lost a suitcase in Bergen", "ordered forty lanterns", "promised to mend the gate"}
	when = []string{"on Tuesday", "before the storm", "at half past six", "during the fair", "while everybody slept"}
)

// Story returns a random sentence that asks for nothing.
func Story(rng *rand.Rand) string {
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	return pick(who) + " " + pick(did) + " " + pick(when)
}
