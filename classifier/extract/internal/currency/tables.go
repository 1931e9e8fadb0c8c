package currency

import (
	_ "embed" // the tables

	"github.com/slotway/slotway/classifier/message"
)

// unitRows lists ISO 4217 code, name, further names and signs of a unit. The last word of a name is
// taken in the plural too. Names of one word that several countries share stand in familyRows
// instead.
//
//go:embed units.txt
var unitRows string

// familyRows lists units of several countries. Of the codes the agent's own is meant when it is
// among them, else the first.
//
//go:embed families.txt
var familyRows string

// partRows lists parts of a unit: the factor, and which codes have it.
//
//go:embed parts.txt
var partRows string

// Abbreviated are units that stand before figures with or without a point.
var Abbreviated = message.Words("rs rp rm ksh kr rmb")

// LowerCase are the ISO 4217 codes that are taken in lower case too; the others may be
// words: all, try, top, mop, pen.
var LowerCase = message.Words("usd eur gbp jpy cny inr chf aud nzd sek nok dkk hkd sgd krw rub mxn brl pln czk huf zar thb idr myr php vnd aed ils egp ngn kes pkr lkr twd uah ars clp btc eth")
