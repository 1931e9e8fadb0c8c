package main

// question is a set of tests that should kill a mutant.
type question struct {
	name, pkg string
	flags     []string // of the tests
}

// conversations are the replays of router/testdata, without models.
var conversations = testsOf("router/replay/cassette")

// drawnTests are random conversations with a fixed seed.
var drawnTests = question{"drawn conversations", "planner", []string{"-test.run=^TestRandom", "-rapid.seed=1", "-rapid.nofailfile"}}

// asked lists the questions for the mutants of a package, the quick ones first. A package without
// an entry has its own tests as the question.
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
