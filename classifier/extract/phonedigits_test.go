package extract

import (
	"testing"
)

// TestPhonesDigitByDigit: a number spoken digit by digit, or in pairs, keeps all of its
// digits, or is none.
func TestPhonesDigitByDigit(t *testing.T) {
	checkHeard(t, New(office(), nil), []heardCase{
		{"the_phone", "0 1 5 1 2 3 4 5 6 7 8", "the_phone", "01512345678"},
		{"", "my phone is 0 1 5 1 2 3 4 5 6 7 8", "the_phone", "01512345678"},
		{"the_phone", "2 0 2 5 5 5 0 1 4 3", "the_phone", "+12025550143"},
		{"the_phone", "it's 1 2 0 2 5 5 5 0 1 4 3, thanks", "the_phone", "+12025550143"},
		{"the_phone", "+4 9 1 5 1 2 3 4 5 6 7 8 9", "the_phone", "+4915123456789"},
		{"the_phone", "20 25 55 01 43", "the_phone", "+12025550143"},
		{"the_phone", "202 555 0143, 2 of us", "the_phone", "+12025550143"},

		{"the_phone", "1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0", "the_phone", ""},
		{"", "we counted 2 0 2 5 5 5 0 1 4 3 9 9 9 9 9 9 9 9", "the_phone", ""},
	})
}
