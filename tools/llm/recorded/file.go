package recorded

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// keptHeaders are the headers of a response that are recorded.
var keptHeaders = []string{"Content-Type", "Retry-After"}

// exchange is a request and its response.
type exchange struct {
	request  request
	response response
}

// request is the part of a request that is compared, without secrets.
type request struct{ method, target, body string }

// key returns equal text for equal requests.
func (r request) key() string { return r.method + " " + r.target + "\n" + r.body }

// response is the part of a response that is stored, without secrets.
type response struct {
	status int
	header http.Header
	body   string
}

// http returns the response to a request.
func (r response) http(req *http.Request) *http.Response {
	return &http.Response{
		Status: strconv.Itoa(r.status) + " " + http.StatusText(r.status), StatusCode: r.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: r.header.Clone(), Body: io.NopCloser(strings.NewReader(r.body)), ContentLength: int64(len(r.body)),
	}
}

// format returns the text of a file.
func format(exchanges []exchange) ([]byte, error) {
	archive := &txtar.Archive{}
	for i, e := range exchanges {
		var head strings.Builder
		fmt.Fprintf(&head, "%d\n", e.response.status)
		for _, name := range slices.Sorted(maps.Keys(e.response.header)) {
			fmt.Fprintf(&head, "%s: %s\n", name, e.response.header.Get(name))
		}
		archive.Files = append(archive.Files,
			txtar.File{Name: fmt.Sprintf("%d request", i+1), Data: []byte(e.request.method + " " + e.request.target + "\n\n" + e.request.body)},
			txtar.File{Name: fmt.Sprintf("%d response", i+1), Data: []byte(head.String() + "\n" + e.response.body)})
	}
	raw := txtar.Format(archive)
	if read := txtar.Parse(raw); len(read.Files) != len(archive.Files) {
		return nil, errors.New("a body has a line that would begin another file")
	}
	return raw, nil
}

// parse reads the text of a file.
func parse(raw []byte) ([]exchange, error) {
	files := txtar.Parse(raw).Files
	if len(files) == 0 || len(files)%2 != 0 {
		return nil, fmt.Errorf("%d parts, want a response after each request", len(files))
	}
	var exchanges []exchange
	for i := 0; i < len(files); i += 2 {
		n := i/2 + 1
		for j, kind := range []string{"request", "response"} {
			if want := fmt.Sprintf("%d %s", n, kind); files[i+j].Name != want {
				return nil, fmt.Errorf("part %q, want %q", files[i+j].Name, want)
			}
		}
		asked, err := parseRequest(files[i].Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[i].Name, err)
		}
		answer, err := parseResponse(files[i+1].Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[i+1].Name, err)
		}
		exchanges = append(exchanges, exchange{asked, answer})
	}
	return exchanges, nil
}

// parseRequest reads a request, and normalises it like incoming ones.
func parseRequest(raw []byte) (request, error) {
	head, body, _ := bytes.Cut(raw, []byte("\n\n"))
	method, target, ok := strings.Cut(strings.TrimSpace(string(head)), " ")
	u, err := url.ParseRequestURI(target)
	if !ok || err != nil || u.Path == "" || strings.ContainsAny(target, " \n") {
		return request{}, errors.New("want METHOD /PATH and an empty line")
	}
	s := newScrubber(nil)
	return request{method, s.target(u), s.body(body)}, nil
}

// parseResponse reads a response.
func parseResponse(raw []byte) (response, error) {
	head, body, ok := bytes.Cut(raw, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	status, err := strconv.Atoi(strings.TrimSpace(lines[0]))
	if err != nil || status < 200 || status > 599 || !ok {
		return response{}, errors.New("want a status, headers and an empty line")
	}
	header := http.Header{}
	for _, line := range lines[1:] {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return response{}, errors.New("a header without a colon")
		}
		header.Set(name, strings.TrimSpace(value))
	}
	return response{status, header, string(body)}, nil
}
