package main

// What the program prints is part of it.
func Example() {
	main()
	// Output:
	// open   taken    opened
	// open   ignored  opened: no transition takes the event in the current configuration
	// close  taken    closed
	// open   taken    opened
	// close  taken    closed
	// open   ignored  closed: no guard of a transition for the event holds
}
