//go:build !race

package code_test

const raced = false
