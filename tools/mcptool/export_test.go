package mcptool

// WaitEnded waits until every connection that was made has ended and is forgotten.
func (s *Server) WaitEnded() { s.watchers.Wait() }
