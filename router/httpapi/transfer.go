package httpapi

import (
	"bufio"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router/sessions"
)

const ndjson = "application/x-ndjson"

// importTime is how long the body of an import may take to arrive.
const importTime = time.Minute

// export sends a session as JSON lines. An error half way closes the connection: the client sees a
// truncated answer, and an import notices that the last line is missing.
func (a *API) export(w http.ResponseWriter, r *http.Request) {
	q := readQuery(r)
	reveal := q.reveal(r)
	key, err := a.key(r)
	if q.err != nil {
		err = q.err
	}
	out := &attachment{to: w}
	var left transfer.MissingParts
	lines := bufio.NewWriterSize(io.MultiWriter(out, &left), exportBuffer)
	switch {
	case err != nil:
	case reveal:
		err = a.opts.Memory.Store.Export(r.Context(), key, lines)
	default:
		err = sessions.Export(r.Context(), a.opts.Memory.Store, key, a.opts.Memory.Redactor(), maySeePrompts(r.Context()), lines)
	}
	if err == nil {
		err = lines.Flush()
	}
	if n := left.Count(); n > 0 {
		w.Header().Set(http.TrailerPrefix+damagedTrailer, strconv.Itoa(n))
	}
	switch {
	case err != nil && out.begun:
		panic(http.ErrAbortHandler)
	case err != nil:
		WriteProblem(w, Explain(err))
	}
}

// damagedTrailer is the trailer with the number of parts of a session that could not be read.
const damagedTrailer = "Slotway-Damaged"

// exportBuffer is the size of an export that is held back, in bytes: an error in a shorter one is
// still answered with a problem document.
const exportBuffer = 64 << 10

// attachment is the body of a file. Its headers are sent with the first write.
type attachment struct {
	to    http.ResponseWriter
	begun bool
}

// Write implements io.Writer.
func (a *attachment) Write(p []byte) (int, error) {
	if !a.begun {
		a.begun = true
		a.to.Header().Set("Content-Type", ndjson)
		a.to.Header().Set("Content-Disposition", `attachment; filename="session.jsonl"`)
	}
	return a.to.Write(p)
}

// importSessions imports sessions of the caller that were exported with their values.
func (a *API) importSessions(w http.ResponseWriter, r *http.Request) {
	if q := readQuery(r); q.err != nil {
		WriteProblem(w, Explain(q.err))
		return
	}
	if !a.importMu.TryLock() { // one holds up to MaxImport bytes, and what they decode to
		WriteProblem(w, Explain(errFull))
		return
	}
	defer a.importMu.Unlock()
	n, err := a.importBody(w, r)
	if err != nil {
		WriteProblem(w, Explain(err))
		return
	}
	WriteJSON(w, http.StatusOK, "application/json", map[string]int{"imported": n})
}

func (a *API) importBody(w http.ResponseWriter, r *http.Request) (int, error) {
	body, err := a.readExport(w, r)
	if err != nil {
		return 0, err
	}
	ctx, cancel := a.detached(r)
	defer cancel()
	n, err := sessions.Import(ctx, a.opts.Memory.Store, a.owner(r), body)
	switch {
	case errors.Is(err, memory.ErrBadExport): // its text names lines, never what stands there
		return 0, BadRequest("bad_export", "%s.", err)
	case errors.Is(err, memory.ErrConflict):
		return 0, &Problem{Status: http.StatusConflict, Code: "conflict", Title: "A session is here already, at another version", Detail: "Nothing was taken over it. Delete the session first."}
	}
	return n, err
}

// readExport reads the body of an import. Its error is a *Problem.
func (a *API) readExport(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != ndjson || r.Header.Get("Content-Encoding") != "" {
		return nil, &Problem{Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type", Title: "The body must be JSON lines", Detail: "Send Content-Type: " + ndjson + ", not compressed."}
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(importTime))
	_ = control.SetWriteDeadline(time.Now().Add(importTime + a.opts.TurnTimeout + writeTimeout))
	return readAtMost(w, r, a.opts.MaxImport)
}
