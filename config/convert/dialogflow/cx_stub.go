package dialogflow

func (r *reader) readCX(string) error { return nil }
