package recall

import (
	"context"
	"math"
	"slices"
	"sync"
)

// calibration says what the cosines of a model mean. Models differ in the cosines of unrelated
// texts: the median of those counts as no similarity, and what one in a hundred of them reaches is
// enough to quote a text.
type calibration struct{ unrelated, similar float32 }

// distance returns how far a cosine is above that of unrelated texts, where 1 is enough to quote.
func (r calibration) distance(cosine float32) float32 {
	if r.similar <= r.unrelated {
		return max(cosine, 0)
	}
	return max((cosine-r.unrelated)/(r.similar-r.unrelated), 0)
}

const (
	// similarWords is the share of a question's words that is enough to quote a text without any
	// similarity in meaning. It was chosen together with the hundredth of calibrate on LoCoMo's
	// development half: with a limit of 0.7, 92 % of what is found among five messages stays, and a
	// third of what another conversation gives.
	similarWords = .6
	// defaultSimilarity is the likeness of what is just enough, the default of
	// memory.rag.min_similarity.
	defaultSimilarity = .7
)

// likeness puts similarity in meaning and in words on one scale, [0,1): twice enough leaves the
// square of the rest.
func likeness(distance, share float32) float32 {
	return float32(1 - math.Pow(1-defaultSimilarity, float64(distance+share/similarWords)))
}

// calibrate compares questions with the answers to other questions.
func calibrate(ctx context.Context, e Embedder) (calibration, error) {
	vectors, err := embedTexts(ctx, e, slices.Concat(calibrationQuestions, calibrationAnswers))
	if err != nil {
		return calibration{}, err
	}
	var all []float32
	for i, q := range vectors[:len(calibrationQuestions)] {
		for j, a := range vectors[len(calibrationQuestions):] {
			if i != j {
				all = append(all, dot(q, a))
			}
		}
	}
	slices.Sort(all)
	return calibration{unrelated: all[len(all)/2], similar: all[len(all)*99/100]}, nil
}

// lazyCalibration calibrates a model when it is first needed, since the model may be on a server.
// While the server does not answer, cosines are used as they are.
type lazyCalibration struct {
	mu    sync.Mutex
	known bool
	value calibration
}

func (l *lazyCalibration) get(ctx context.Context, e Embedder) calibration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.known {
		r, err := calibrate(ctx, e)
		if err != nil {
			return calibration{}
		}
		l.value, l.known = r, true
	}
	return l.value
}

// The texts are in the style of messages to people and assistants. Answer i belongs to question i
// and to no other.
var (
	calibrationQuestions = []string{
		"When did you paint the kitchen?", "Where is my parcel from Tuesday?", "What did the doctor say about your knee?",
		"How much was the hotel in Lisbon?", "Who is coming to the party on Saturday?", "Which band did you see last summer?",
		"Why was my card declined?", "What is the name of your dog?", "When does the new job start?",
		"Can I still change the delivery address?", "What books does she like to read?", "How long did the hike take?",
		"What did we decide about the budget?", "Which phone did he buy in the end?", "Where did you learn to cook?",
		"Has the refund been paid?", "What is wrong with the printer?", "How did the exam go?",
		"Which plan has more data?", "When is your sister's wedding?",
	}
	calibrationAnswers = []string{
		"We did the walls of the kitchen in May, in a light green.", "Your parcel left the warehouse and arrives tomorrow.",
		"She told me to rest the knee for three weeks.", "The room in Lisbon was 90 euros a night.",
		"Tom, Ana and the neighbours said they would come on Saturday.", "We went to hear a jazz band by the lake in July.",
		"The bank blocks a card after three wrong numbers.", "Our dog is called Biscuit, he is a beagle.",
		"I begin at the new company on the first of March.", "The address can be changed until the parcel is packed.",
		"She loves crime novels and anything about the sea.", "It was seven hours up and down with a long break.",
		"We agreed to spend no more than two thousand on it.", "He took the smaller phone because of the camera.",
		"My grandmother taught me all her recipes.", "The money was sent back to your account last week.",
		"It jams whenever there is thick paper in the tray.", "I passed with a better mark than I had hoped.",
		"The large plan has 20 gigabytes and costs more.", "They marry in September, in the old church.",
	}
)
