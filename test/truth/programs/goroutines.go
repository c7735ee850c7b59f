// Calls, a panic that is recovered, a goroutine, growing stacks.
package main

import (
	"fmt"
	"sort"
)

//go:noinline
func recursive(depth int) int {
	var block [64]int
	if depth == 0 {
		return 1
	}
	block[depth%64] = recursive(depth - 1)
	return block[depth%64] + 1
}

//go:noinline
func panics(depth int) (result int) {
	defer func() {
		if recover() != nil {
			result = depth
		}
	}()
	if depth == 0 {
		panic("bottom")
	}
	return panics(depth-1) + recursive(depth)
}

func main() {
	numbers := []int{5, 3, 8, 1}
	sort.Ints(numbers)
	done := make(chan int)
	go func() { done <- recursive(40) }()
	fmt.Println(numbers, panics(3), <-done)
}
