package enum

import (
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

var (
	// YesPhrases and NoPhrases are what people say for yes and for no.
	YesPhrases = scan.Split("yes,yeah,yep,yup,yes please,yeah please,yes indeed,sure,sure thing,sure is,of course,definitely,absolutely,certainly,correct,that's correct,thats correct,that is correct,right,that's right,thats right,that is right,exactly,precisely,indeed,ok,okay,okey,okey dokey,alright,all right,k,y,true,agree,agreed,i agree,i do,i am,i would,i have,i did,i will,it is,it does,it was,they do,they are,he is,she is,affirmative,please do,go ahead,go for it,do it,by all means,you bet,for sure,why not,sounds good,sounds fine,sounds great,sounds right,looks good,looks right,fine,that's fine,thats fine,that is fine,that's it,that works,works for me,i'm fine with that,i'm ok with that,i'm okay with that,fine with me,fine by me,ok with me,i don't mind,i do not mind,don't mind,i guess so,i suppose so,i think so,i believe so,i hope so,i guess,probably,likely,no problem,no worries,yea,ya,yah,yass,uh huh,mhm,totally,gladly,with pleasure,naturally,👍,👌,✅,✔,🆗,🙏")
	NoPhrases  = scan.Split("no,nope,nop,nah,naw,no thanks,no thank you,no no,not really,not exactly,not quite,not yet,not now,not today,not this time,not ok,not okay,not at all,not likely,not any,not for me,not that,of course not,certainly not,definitely not,absolutely not,probably not,surely not,maybe not,i guess not,i suppose not,i think not,i hope not,i'm afraid not,i am afraid not,i don't,i dont,i do not,i don't think so,i dont think so,i do not think so,don't think so,i didn't,i did not,i'm not,i am not,im not,n,false,never,negative,it isn't,it's not,its not,it is not,it doesn't,it wasn't,they aren't,they don't,no way,no chance,don't,do not,dont,please don't,👎,❌,🚫,disagree,i disagree,wrong,that's wrong,incorrect,that's not right,i wouldn't,i would not,i would rather not,i'd rather not,rather not,i haven't,i have not,i won't,i will not,i can't,i cannot,hell no,none,without,neither,no problem,no worries") // the last two stand in both lists: they answer neither way
)
