package web

import (
	_ "embed" // the top-level domains

	"github.com/slotway/slotway/classifier/message"
)

//go:embed toplevels.txt
var topLevelFile string

// topLevels are the top-level domains of the IANA root zone (2026) in ASCII. Brand names
// are among them; xn-- names are told by their prefix.
var topLevels = message.Words(topLevelFile)

// wordLevels are top-level domains that also end a sentence or a file name. After a bare
// name they make an address only beside a path, a port, a www or a third name: "t.me/x",
// but not "do it.please" or "readme.md".
var wordLevels = message.Words(`
	am as at be by do in is it me my no of so to us we he or an if up on go hi la pa ma mr st md py rs sh pl ps cc zip mov ts cs vi ad
	able ads and app band bar best bet bid bike bio black blue book build business buy cab call cam camera camp car cards care cars case cash
	cat center chat cheap city claims click clinic clothing club coach coffee cool country coupon day deal deals delivery dental diet dinner
	direct dog domains earth eat email fail fan fans farm fast film final fish fit flowers food football forum free fun fund game games gift
	gifts glass gold golf green guide hair health help here holiday home horse hospital hot house how ing jobs juegos kids kitchen land law
	lease legal life like limited link live living loan loans lol love luxury market media men menu mobile moe mom money movie name network
	new news next now office one ong online open ooo organic page partners parts party pay pet phone photo photos pics pictures pink pizza
	place play plumbing plus poker post press prime promo properties property pub quest read realty recipes red rent rental repair report
	rest review reviews rich rip rocks room rugby run safe sale salon save school science search secure security sex shoes shop shopping
	show singles site ski smile soccer social software solar spa space sport spot star stream study style sucks supply support surf talk
	tax taxi team tech tennis theater tickets tips tires today tools top tour tours town toys trade trading training travel trust tube
	vacations video villas vip vision vote voting wait walk watch weather webcam wedding win wine winners wow work works world wtf yes you zero zone
`)
