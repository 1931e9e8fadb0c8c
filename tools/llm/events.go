package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/sashabaranov/go-openai"
	"github.com/slotway/slotway/tools"
)

const (
	eventStream = "text/event-stream"

	// maxStream limits the bytes of a stream: an event with one short word takes about 300 bytes.
	maxStream = 16 * tools.MaxResult
	// maxLine limits one event. The library keeps a line whole.
	maxLine = tools.MaxResult
)

// events returns a body of server-sent events with its data lines only, since the library counts
// and keeps all others. It turns the JSON of a server that does not stream into one event. The
// first character tells whether a server streams, since many send the wrong content type.
func events(ctx context.Context, body io.ReadCloser) (io.ReadCloser, error) {
	lines := bufio.NewReader(&limited{ctx: ctx, body: body, left: maxStream})
	for {
		first, err := lines.Peek(1)
		if errors.Is(err, io.EOF) {
			break // no event: the stream reports that it broke off
		}
		if err != nil {
			body.Close()
			return nil, err
		}
		if first[0] == '{' {
			return single(lines, body)
		}
		if first[0] != '\n' && first[0] != '\r' && first[0] != ' ' && first[0] != '\t' {
			break
		}
		_, _ = lines.Discard(1) // it exists: Peek returned it
	}
	return &dataLines{Closer: body, lines: lines}, nil
}

// single reads an answer that is no stream, and turns it into a stream of one event.
func single(text io.Reader, body io.Closer) (io.ReadCloser, error) {
	defer body.Close()
	raw, err := io.ReadAll(io.LimitReader(text, tools.MaxResult+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > tools.MaxResult {
		return nil, errTooLarge()
	}
	var resp openai.ChatCompletionResponse
	if err := json.Unmarshal(raw, &resp); err != nil {
		return nil, asError(err)
	}
	var event openai.ChatCompletionStreamResponse
	if len(resp.Choices) > 0 {
		event.Choices = make([]openai.ChatCompletionStreamChoice, 1)
		event.Choices[0].Delta.Content = resp.Choices[0].Message.Content
	}
	line, err := json.Marshal(event)
	if err != nil {
		return nil, asError(err)
	}
	return io.NopCloser(strings.NewReader("data: " + string(line) + "\ndata: [DONE]\n")), nil
}

// dataLines reads the data lines of a stream. The end of the stream is io.ErrUnexpectedEOF: the
// library stops reading at the event [DONE], so only an answer without it gets to the end.
type dataLines struct {
	io.Closer
	lines *bufio.Reader
	line  []byte // not yet read
}

// Read returns the rest of the current line, or the next one.
func (d *dataLines) Read(p []byte) (int, error) {
	for len(d.line) == 0 {
		line, err := readLine(d.lines)
		line = bytes.TrimSpace(line)
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok && len(data) > 0 && (err == nil || errors.Is(err, io.EOF)) {
			d.line = append(line, '\n')
			break
		}
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, d.line)
	d.line = d.line[n:]
	return n, nil
}

// readLine reads up to the end of a line; at the end of the stream it returns io.EOF too.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, errTooLarge()
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
