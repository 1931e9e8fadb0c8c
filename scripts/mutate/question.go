package main

// question is a set of tests that should object to a mutant.
type question struct {
	name, pkg string
	flags     []string // of the tests
}

// conversations are the recorded ones, played without models: those of router/testdata.
var conversations = testsOf("router/replay/heardtest")

// drawnTests are conversations drawn by chance, always the same ones.
var drawnTests = question{"drawn conversations", "planner", []string{"-test.run=^TestRandom", "-rapid.seed=1", "-rapid.nofailfile"}}

// asked are the questions to the mutants of a package, the quick ones first. A package that
// is not named is asked its own tests.
var asked = map[string][]question{
	"planner": {testsOf("planner", "-test.skip=^TestRandom"), conversations, drawnTests, testsOf("router")},
	"router":  {conversations, testsOf("router"), testsOf("router/replay")},
}

func testsOf(pkg string, flags ...string) question {
	return question{"tests of " + pkg, pkg, flags}
}

func (r *run) questionsTo(pkg string) []question {
	q := asked[pkg]
	if q == nil {
		q = []question{testsOf(pkg)}
	}
	if r.quick {
		return q[:1]
	}
	return q
}
