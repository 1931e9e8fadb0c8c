package traces

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/slotway/slotway/router/telemetry"
)

// lostAfter sends a turn of three spans to a collector, and returns how many are lost.
func lostAfter(t *testing.T, endpoint string) uint64 {
	t.Helper()
	traces := open(t, Options{Endpoint: endpoint, Timeout: 5 * time.Second, Interval: time.Millisecond})
	play(traces, "i", "", telemetry.Received{}, telemetry.Respond{})
	closed(t, traces)
	return traces.Lost()
}

// What a collector says of a request that it took counts, in both of the protocol's forms.
func TestWhatACollectorRejects(t *testing.T) {
	for name, c := range map[string]struct {
		partial *collector.ExportTracePartialSuccess
		lost    uint64
	}{
		"nothing": {nil, 0}, "none": {&collector.ExportTracePartialSuccess{}, 0},
		"some":   {&collector.ExportTracePartialSuccess{RejectedSpans: 2}, 3},
		"a word": {&collector.ExportTracePartialSuccess{ErrorMessage: "slower, please"}, 3},
	} {
		answer := &collector.ExportTraceServiceResponse{PartialSuccess: c.partial}
		plain, err := proto.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		text, err := protojson.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		for kind, body := range map[string][]byte{protobufType: plain, "application/json": text} {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", kind)
				_, _ = w.Write(body)
			}))
			if got := lostAfter(t, server.URL); got != c.lost {
				t.Errorf("%s as %s: %d spans are lost, want %d", name, kind, got, c.lost)
			}
			server.Close()
		}
	}
}

func TestABusyCollectorIsAskedAgain(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	if got := lostAfter(t, server.URL); got != 0 || asked.Load() != 2 {
		t.Errorf("%d spans are lost after %d requests", got, asked.Load())
	}
}

// A collector behind a private authority that wants a certificate gets spans where the environment names both.
func TestCertificatesOfTheEnvironment(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") == "a,b" && len(r.TLS.PeerCertificates) == 1 {
			asked.Add(1)
		}
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	defer server.Close()
	key, err := x509.MarshalPKCS8PrivateKey(server.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	certificate := file("ca.pem", "CERTIFICATE", server.Certificate().Raw)
	if got := lostAfter(t, server.URL); got != 3 {
		t.Errorf("%d spans are lost to a collector that nobody trusts", got)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_CERTIFICATE", certificate)
	t.Setenv("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", certificate)
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY", file("key.pem", "PRIVATE KEY", key))
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=other")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", " X-Key = a%2Cb ,")
	if got := lostAfter(t, server.URL); got != 0 || asked.Load() != 1 {
		t.Errorf("%d spans are lost, %d requests came with certificate and header", got, asked.Load())
	}
}

// What the environment has wrong is told at the start, without the value.
func TestMistakesOfTheEnvironment(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "s3cret.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_HEADERS": "s3cret key=1", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "a=%zzs3cret", "OTEL_EXPORTER_OTLP_CERTIFICATE": empty,
	} {
		t.Setenv(name, value)
		_, err := New(t.Context(), Options{Endpoint: "https://otel.test"})
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s=%s: %v", name, value, err)
		}
		t.Setenv(name, "")
	}
}
