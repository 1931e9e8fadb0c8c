package hostile

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/programtest"
)

// The reader of the log ends, as in `slotway serve 2>&1 | head`: the service goes on.
func TestTheReaderOfTheLogEnds(t *testing.T) {
	dir, binary := t.TempDir(), programtest.Binary(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "--data", dir, "--set", "telemetry.log=stderr", "--set", "server.limits.rate=0", "serve", "--addr", "127.0.0.1:0")
	cmd.Stderr = write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	line, err := bufio.NewReader(read).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		t.Fatalf("first line %q, %v", line, err)
	}
	read.Close()
	for n := range 5 {
		res, err := http.Post(url+"/chat", "application/json", strings.NewReader(fmt.Sprintf(`{"message":"where is O-12345?","conversation_id":"c%d"}`, n)))
		if err != nil {
			t.Fatalf("turn %d: %v", n, err)
		}
		res.Body.Close()
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the service ends with %v", err)
	}
}
