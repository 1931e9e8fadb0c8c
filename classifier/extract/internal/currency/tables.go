package currency

import (
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// rows are: ISO 4217 code, name, further names, signs. The last word of a name is
// taken in the plural too. Names of one word that several countries share stand in
// currencyFamilies instead.
var rows = table(`
USD|United States dollar|us dollar,u.s dollar,american dollar,u.s. dollar|US$,U.S$
EUR|Euro||€
GBP|British pound|pound sterling,sterling,sterling pound,pounds sterling,british pound sterling,uk pound,quid|
JPY|Japanese yen|yen|¥,￥
CNY|Chinese yuan|yuan,renminbi,chinese renminbi,rmb,kuai|CN¥,元
CHF|Swiss franc||Fr.
CAD|Canadian dollar|loonie|C$,CA$,CAN$,CDN$
AUD|Australian dollar|aussie dollar|A$,AU$
NZD|New Zealand dollar|kiwi dollar|NZ$
HKD|Hong Kong dollar||HK$
SGD|Singapore dollar|singaporean dollar|S$,SG$
TWD|New Taiwan dollar|taiwan dollar,taiwanese dollar|NT$
SEK|Swedish krona|swedish kronor,kronor|
NOK|Norwegian krone|norwegian kroner|
DKK|Danish krone|danish kroner|
ISK|Icelandic króna|icelandic krona,icelandic kronur|
INR|Indian rupee||₹,Rs.,Rs
PKR|Pakistani rupee||
LKR|Sri Lankan rupee||ரூ
NPR|Nepalese rupee|nepali rupee|
MUR|Mauritian rupee||
SCR|Seychellois rupee|seychelles rupee|
MVR|Maldivian rufiyaa|rufiyaa|
IDR|Indonesian rupiah|rupiah|Rp
MYR|Malaysian ringgit|ringgit|RM
PHP|Philippine peso|filipino peso|₱
MXN|Mexican peso||MX$,Mex$
ARS|Argentine peso|argentinian peso,argentine pesos|
CLP|Chilean peso||
COP|Colombian peso||
UYU|Uruguayan peso||
DOP|Dominican peso||RD$
CUP|Cuban peso||
BRL|Brazilian real|brazilian reais,reais|R$
PEN|Peruvian sol|nuevo sol|S/
BOB|Bolivian boliviano|boliviano|
PYG|Paraguayan guaraní|guarani,paraguayan guarani|₲
VES|Venezuelan bolívar|bolivar,venezuelan bolivar|
CRC|Costa Rican colón|costa rican colon,colones|₡
GTQ|Guatemalan quetzal|quetzal,quetzales|
HNL|Honduran lempira|lempira|
NIO|Nicaraguan córdoba|nicaraguan cordoba,cordoba|
PAB|Panamanian balboa|balboa|
JMD|Jamaican dollar||J$
TTD|Trinidad and Tobago dollar|trinidad dollar|TT$
BSD|Bahamian dollar||
BBD|Barbadian dollar|barbados dollar|
BZD|Belize dollar||
BMD|Bermudian dollar|bermuda dollar|
XCD|East Caribbean dollar||
FJD|Fijian dollar|fiji dollar|
NAD|Namibian dollar|namibia dollar|N$
LRD|Liberian dollar||
BND|Brunei dollar||
KRW|South Korean won|korean won,won|₩
KPW|North Korean won||
THB|Thai baht|baht|฿
VND|Vietnamese dong|vietnamese đồng,dong|₫
KHR|Cambodian riel|riel|៛
LAK|Lao kip||₭
MMK|Burmese kyat|kyat,myanmar kyat|
MNT|Mongolian tögrög|tugrik,mongolian tugrik,togrog|₮
BDT|Bangladeshi taka|taka|৳
BTN|Bhutanese ngultrum|ngultrum|
AFN|Afghan afghani|afghani|؋
KZT|Kazakhstani tenge|tenge,kazakh tenge|₸
UZS|Uzbekistani som|uzbek som|
KGS|Kyrgyzstani som|kyrgyz som|
TJS|Tajikistani somoni|somoni|
TMT|Turkmenistan manat|turkmen manat|
AZN|Azerbaijani manat||₼
AMD|Armenian dram||֏
GEL|Georgian lari|lari|₾
RUB|Russian ruble|russian rouble,rubles,roubles,ruble,rouble|₽
BYN|Belarusian ruble|belarusian rouble|
UAH|Ukrainian hryvnia|hryvnia|₴
PLN|Polish złoty|zloty,polish zloty,złoty,zlotych|zł
CZK|Czech koruna|czech crown,koruna|Kč
HUF|Hungarian forint|forint|Ft
RON|Romanian leu|romanian lei|
MDL|Moldovan leu|moldovan lei|
BGN|Bulgarian lev|bulgarian leva|
RSD|Serbian dinar||
MKD|Macedonian denar|denar|
ALL|Albanian lek||
BAM|Bosnia and Herzegovina convertible mark|convertible mark|
HRK|Croatian kuna|kuna|
TRY|Turkish lira||₺
ILS|Israeli new shekel|shekel,israeli shekel,new shekel,sheqel|₪
EGP|Egyptian pound||E£
LBP|Lebanese pound|lebanese lira|
SYP|Syrian pound||
SDG|Sudanese pound||
JOD|Jordanian dinar||
KWD|Kuwaiti dinar||
BHD|Bahraini dinar||
IQD|Iraqi dinar||
DZD|Algerian dinar||
TND|Tunisian dinar||
LYD|Libyan dinar||
SAR|Saudi riyal|saudi arabian riyal,saudi rial|﷼
QAR|Qatari riyal|qatari rial|
OMR|Omani rial|omani riyal|
YER|Yemeni rial|yemeni riyal|
IRR|Iranian rial|iranian riyal|
AED|United Arab Emirates dirham|emirati dirham,uae dirham|
MAD|Moroccan dirham||
ZAR|South African rand|rand|
NGN|Nigerian naira|naira|₦
GHS|Ghanaian cedi|cedi,ghana cedi|₵
KES|Kenyan shilling||KSh
UGX|Ugandan shilling||USh
TZS|Tanzanian shilling||TSh
SOS|Somali shilling||
ETB|Ethiopian birr|birr|
ZMW|Zambian kwacha||
MWK|Malawian kwacha||
MZN|Mozambican metical|metical|
AOA|Angolan kwanza|kwanza|
BWP|Botswana pula||
RWF|Rwandan franc||
BIF|Burundian franc||
CDF|Congolese franc||
DJF|Djiboutian franc||
GNF|Guinean franc||
MGA|Malagasy ariary|ariary|
XOF|West African CFA franc|west african franc|
XAF|Central African CFA franc|cfa franc,central african franc|FCFA
XPF|CFP franc||
PGK|Papua New Guinean kina||
WST|Samoan tālā|samoan tala|
TOP|Tongan paʻanga|paanga,tongan paanga|
GIP|Gibraltar pound||
FKP|Falkland Islands pound||
SHP|Saint Helena pound||
DEM|German mark|deutsche mark,deutschemark,west german mark,d-mark|
FRF|French franc||
BEF|Belgian franc||
ITL|Italian lira|italian lire|
ESP|Spanish peseta|peseta|
NLG|Dutch guilder|guilder|
ATS|Austrian schilling|schilling|
IEP|Irish pound|irish punt,punt|
GRD|Greek drachma|drachma|
PTE|Portuguese escudo|escudo|
FIM|Finnish markka|markka|
BTC|Bitcoin|bitcoin|₿
ETH|Ether|ethereum|
MOP|Macanese pataca|pataca,macau pataca|MOP$
`)

// families are units of several countries. Of the codes the agent's own is meant
// when it is among them, else the first.
var families = table(`
USD CAD AUD NZD HKD SGD TWD JMD TTD BSD BBD BZD BMD XCD FJD NAD LRD BND|Dollar|dollar,buck|$,＄
GBP EGP LBP SYP SDG GIP FKP SHP|Pound|pound|£,￡
INR PKR LKR NPR MUR SCR|Rupee|rupee|₨
MXN ARS CLP COP UYU DOP CUP PHP|Peso|peso|
CHF RWF BIF CDF DJF GNF XOF XAF XPF|Franc|franc|
SEK ISK|Krona|krona|
NOK DKK|Krone|krone,kroner|
SEK NOK DKK ISK CZK|Krona|kr|kr
JOD KWD BHD IQD DZD TND LYD RSD|Dinar|dinar|
SAR QAR|Riyal|riyal|
IRR OMR YER|Rial|rial|
AED MAD|Dirham|dirham|
KES UGX TZS SOS|Shilling|shilling|
TRY LBP|Lira|lira|
`)

// hundredthRows are parts of a unit, and of which codes.
var hundredthRows = table(`
USD CAD AUD NZD HKD SGD EUR TWD JMD ZAR|Cent|cent,us cent|¢
GBP|Pence|pence|
USD GBP|Penny|penny,pennies|
INR PKR NPR|Paisa|paisa,paise|
RUB|Kopek|kopek,kopeck|
MXN ARS CLP COP BRL|Centavo|centavo|
EUR CHF|Centime|centime|
SEK|Öre|ore,öre|
CNY|Fen|fen|
MYR IDR|Sen|sen|
ILS|Agora|agora,agorot|
THB|Satang|satang|
PLN|Grosz|grosz,groszy,grosze|
NGN|Kobo|kobo|
GHS|Pesewa|pesewa|
BGN|Stotinka|stotinka,stotinki|
EGP LBP SYP|Piastre|piastre,piaster|
AED KWD BHD JOD IQD|Fils|fils|
SAR|Halala|halala|
`)

// tenthRows are the same for parts of which ten make a unit.
var tenthRows = table(`
CNY|Jiao|jiao,mao|
`)

// LowerCase are the ISO 4217 codes that are taken in lower case too; the others may be
// words: all, try, top, mop, pen.
var LowerCase = scan.Words("usd eur gbp jpy cny inr chf aud nzd sek nok dkk hkd sgd krw rub mxn brl pln czk huf zar thb idr myr php vnd aed ils egp ngn kes pkr lkr twd uah ars clp btc eth")
