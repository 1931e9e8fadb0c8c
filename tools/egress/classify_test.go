package egress

import (
	"net/netip"
	"testing"
)

func TestClassify(t *testing.T) {
	for in, want := range map[string]Class{
		"8.8.8.8": Public, "1.1.1.1": Public, "100.63.255.255": Public, "100.128.0.0": Public, "172.15.0.1": Public, "172.32.0.1": Public,
		"192.167.255.255": Public, "2606:4700::1111": Public, "2a00::1": Public, "2001:200::1": Public,
		"10.0.0.1": Private, "172.16.0.1": Private, "172.31.255.255": Private, "192.168.1.1": Private,
		"100.64.0.1": Private, "100.127.255.255": Private, "fd00:ec2::254": Private, "fc00::1": Private,
		"169.254.169.254": LinkLocal, "fe80::1": LinkLocal, "fe80::1%eth0": LinkLocal, "febf::1": LinkLocal,
		"127.0.0.1": Loopback, "127.255.0.1": Loopback, "::1": Loopback,
		"0.0.0.0": Unspecified, "0.1.2.3": Unspecified, "::": Unspecified,
		"224.0.0.1": Multicast, "239.1.1.1": Multicast, "ff02::1": Multicast,
		"255.255.255.255": Reserved, "240.0.0.1": Reserved, "192.0.0.8": Reserved, "198.18.0.1": Reserved, "203.0.113.1": Reserved,
		"2001:db8::1": Reserved, "3fff::1": Reserved, "2001::1": Reserved, "fec0::1": Reserved, "100::1": Reserved, "5f00::1": Reserved,
		"64:ff9b:1::a00:1": Reserved, "::a00:1": Reserved, "4000::1": Reserved,
		"::ffff:10.0.0.1": Private, "::ffff:169.254.169.254": LinkLocal, "::ffff:127.0.0.1": Loopback, "::ffff:8.8.8.8": Public,
		"64:ff9b::a9fe:a9fe": LinkLocal, "64:ff9b::7f00:1": Loopback, "64:ff9b::808:808": Public,
		"2002:a9fe:a9fe::1": LinkLocal, "2002:a00:1::": Private, "2002:808:808::1": Public, "2002:e000:1::": Multicast,
	} {
		if got := Classify(netip.MustParseAddr(in)); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
	if got := Classify(netip.Addr{}); got != Reserved {
		t.Errorf("no address is %s", got)
	}
}

// FuzzClassify holds the table to what net/netip knows, and every form of an IPv4 address
// to what that address is.
func FuzzClassify(f *testing.F) {
	for _, s := range []string{"10.0.0.1", "8.8.8.8", "::ffff:127.0.0.1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "fe80::1", "ff02::1", "2001:db8::1"} {
		addr := netip.MustParseAddr(s)
		f.Add(addr.AsSlice())
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		addr, ok := netip.AddrFromSlice(raw)
		if !ok {
			return
		}
		got := Classify(addr)
		for class, is := range map[Class]bool{
			Loopback: addr.Unmap().IsLoopback(), LinkLocal: addr.Unmap().IsLinkLocalUnicast(),
			Private: addr.Unmap().IsPrivate(), Multicast: addr.Unmap().IsMulticast(), Unspecified: addr.Unmap().IsUnspecified(),
		} {
			if is && got != class {
				t.Errorf("%s is %s, netip says %s", addr, got, class)
			}
		}
		if got == Public && (!addr.Unmap().IsGlobalUnicast() || addr.Unmap().IsPrivate()) {
			t.Errorf("%s is public, netip says not", addr)
		}
		if v4 := addr.Unmap(); v4.Is4() {
			b := v4.As4()
			for _, form := range [][16]byte{
				{10: 0xff, 11: 0xff, 12: b[0], 13: b[1], 14: b[2], 15: b[3]},
				{0: 0, 1: 0x64, 2: 0xff, 3: 0x9b, 12: b[0], 13: b[1], 14: b[2], 15: b[3]},
				{0: 0x20, 1: 2, 2: b[0], 3: b[1], 4: b[2], 5: b[3], 15: 1},
			} {
				if c := Classify(netip.AddrFrom16(form)); c != got {
					t.Errorf("%s is %s inside %s, but %s alone", v4, c, netip.AddrFrom16(form), got)
				}
			}
		}
	})
}
