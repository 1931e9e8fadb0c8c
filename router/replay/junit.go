package replay

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// The form that build servers read (https://github.com/testmoapp/junitxml).
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		File      string        `xml:"file,attr"`
		Line      int           `xml:"line,attr"`
		Time      string        `xml:"time,attr"`
		Failure   *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the results as JUnit XML: one suite a file, one case a conversation.
func WriteJUnit(w io.Writer, results []Result) error {
	all := junitSuites{Tests: len(results), Failures: Count(results).Failed, Time: seconds(results)}
	for start := 0; start < len(results); {
		end := start
		for end < len(results) && results[end].File == results[start].File {
			end++
		}
		all.Suites = append(all.Suites, suiteOf(results[start:end]))
		start = end
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func suiteOf(results []Result) junitSuite {
	s := junitSuite{Name: results[0].File, Tests: len(results), Failures: Count(results).Failed, Time: seconds(results)}
	for _, r := range results {
		c := junitCase{Name: r.Name, ClassName: r.File, File: r.File, Line: r.Line, Time: seconds([]Result{r})}
		if c.Name == "" {
			c.Name = "the file is valid"
		}
		if !r.Passed {
			var texts []string
			for _, f := range r.Failures {
				texts = append(texts, r.describe(f))
			}
			c.Failure = &junitFailure{Message: fmt.Sprintf("%d differences", len(texts)), Text: strings.Join(texts, "\n")}
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

// seconds returns the total duration of the results.
func seconds(results []Result) string {
	total := 0.0
	for _, r := range results {
		total += r.Duration.Seconds()
	}
	return fmt.Sprintf("%.3f", total)
}
