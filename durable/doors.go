package durable

// doorkeeper takes up what other processes ask for.
func (e *Engine) doorkeeper(store Visited) {
	gate := e.runtime.Gate()
	for {
		if gate.Wait(e.outer, e.runtime.Now()+e.config.Doors) != ErrTime {
			return
		}
		e.mu.Lock()
		served := len(e.serving) // those have no reply yet: they must not hide the new ones
		e.mu.Unlock()
		list, err := store.Requests(e.outer, 100+served)
		if err != nil {
			if e.outer.Err() == nil {
				e.fail(err)
			}
			return
		}
		for _, r := range list {
			e.serve(store, r)
		}
	}
}
