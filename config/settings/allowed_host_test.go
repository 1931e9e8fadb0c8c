package settings

import (
	"net/netip"
	"strings"
	"testing"
)

func TestParseAllowedHost(t *testing.T) {
	for in, want := range map[string]AllowedHost{
		"10.0.0.5":          {Prefix: netip.MustParsePrefix("10.0.0.5/32")},
		"10.1.2.3/8":        {Prefix: netip.MustParsePrefix("10.0.0.0/8")},
		"fd00::/8":          {Prefix: netip.MustParsePrefix("fd00::/8")},
		"::1":               {Prefix: netip.MustParsePrefix("::1/128")},
		"Orders.Internal.":  {Name: "orders.internal"},
		"*.example.com":     {Name: "example.com", Below: true},
		"localhost":         {Name: "localhost"},
		"my_service":        {Name: "my_service"},
		"xn--bcher-kva.com": {Name: "xn--bcher-kva.com"},
	} {
		if got, err := ParseAllowedHost(in); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", in, got, err, want)
		}
	}
	for _, in := range []string{
		"", "*", "*.", ".", "a..b", "http://a.example", "a.example:80", "10.0.0.0/33", "10.0.0.256", "127.1",
		"::ffff:10.0.0.5", "::ffff:10.0.0.0/104", "fe80::1%eth0", "a.*.example", "-a.example", "bücher.com", "[::1]", "a b",
		strings.Repeat("a", 64) + ".com", "10.0.0.0/8/8",
	} {
		if got, err := ParseAllowedHost(in); err == nil {
			t.Errorf("%q: accepted as %+v", in, got)
		} else if !strings.Contains(err.Error(), "; ") {
			t.Errorf("%q: %v names no remedy", in, err)
		}
	}
}

func TestAllowHostsSetting(t *testing.T) {
	path := writeFile(t, "slotway.yaml", "tools:\n  allow_hosts:\n    - 10.0.0.0/8\n    - http://a.example/\n")
	_, err := Load(path, []string{"HOME=/h"}, nil)
	if err == nil || !strings.Contains(err.Error(), path+":4:7: tools.allow_hosts[1]:") {
		t.Errorf("a URL in the file: %v", err)
	}
	_, err = Load("", []string{"HOME=/h", "SLOTWAY_TOOLS_ALLOW_HOSTS=10.0.0.0/8, a b"}, nil)
	if err == nil || !strings.Contains(err.Error(), "SLOTWAY_TOOLS_ALLOW_HOSTS") {
		t.Errorf("a bad host in the environment: %v", err)
	}
	s, err := Load("", []string{"HOME=/h", "SLOTWAY_TOOLS_ALLOW_HOSTS=10.0.0.0/8, *.internal"}, nil)
	if err != nil || strings.Join(s.Tools.AllowHosts, " ") != "10.0.0.0/8 *.internal" {
		t.Errorf("%v, %v", s, err)
	}
}
