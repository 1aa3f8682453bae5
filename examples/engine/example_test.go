package main

// What the program prints is part of it.
func Example() {
	main()
	// Output:
	// tool:charge, attempt 1
	// pay   taken, known false: active in [packing] with &{Item:lamp Receipt:no. 17}
	// pay   taken, known true: active in [packing] with &{Item:lamp Receipt:no. 17}
	// sent  taken, known false: completed in [over] with &{Item:lamp Receipt:no. 17}
}
