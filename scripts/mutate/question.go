package main

// question is a set of tests that should object to a mutant.
type question struct {
	name string
	args []string // of go test
}

// patience is how many times longer than without a change a question may take. The machine
// may be busy with other things: a mutant that is only slow must not count as noticed.
const patience = 8

// conversations are the recorded ones, played without models: those of router/testdata.
var conversations = testsOf("router/replay/heardtest")

// drawnTests are conversations drawn by chance, always the same ones.
var drawnTests = question{"drawn conversations", []string{"./planner", "-run", "^TestRandom", "-rapid.seed=1", "-rapid.nofailfile"}}

// asked are the questions to the mutants of a package, the quick ones first. A package that
// is not named is asked its own tests.
var asked = map[string][]question{
	"planner": {testsOf("planner", "-skip", "^TestRandom"), conversations, drawnTests, testsOf("router")},
	"router":  {testsOf("router"), conversations, testsOf("router/replay")},
}

func testsOf(pkg string, flags ...string) question {
	return question{"tests of " + pkg, append([]string{"./" + pkg}, flags...)}
}

func questionsTo(pkg string) []question {
	if q := asked[pkg]; q != nil {
		return q
	}
	return []question{testsOf(pkg)}
}
