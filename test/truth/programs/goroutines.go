// The shapes of frames that Go makes. Its first goroutine stays on the thread that is followed.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
)

var sink int

//go:noinline
func leaf(value int) int {
	return value*2654435761>>7 + len(os.Args)
}

//go:noinline
func recursive(depth int) int {
	if depth == 0 {
		return leaf(7)
	}
	return recursive(depth-1) + leaf(depth)
}

// Larger than a goroutine's first stack: it moves.
//
//go:noinline
func largeFrame(depth int) int {
	var block [2000]byte
	block[depth] = byte(leaf(depth))
	if depth > 0 {
		block[0] = byte(largeFrame(depth - 1))
	}
	return int(block[depth]) + int(block[0])
}

type shape interface{ area() int }
type square struct{ side int }
type circle struct{ radius int }

func (s square) area() int  { return leaf(s.side) * s.side }
func (c *circle) area() int { return leaf(c.radius) * 3 }

//go:noinline
func areas(shapes []shape) int {
	sum := 0
	for _, s := range shapes {
		sum += s.area()
	}
	return sum
}

//go:noinline
func closures() int {
	total := 0
	add := func(value int) { total += leaf(value) }
	for i := 0; i < 3; i++ {
		add(i)
	}
	return total
}

//go:noinline
func panics(depth int) int {
	defer func() { sink += leaf(depth) }()
	if depth == 0 {
		panic(errors.New("bottom"))
	}
	return panics(depth-1) + 1
}

//go:noinline
func recovers() (result int) {
	defer func() {
		if r := recover(); r != nil {
			result = recursive(2)
		}
	}()
	return panics(3)
}

//go:noinline
func channels() int {
	numbers, done := make(chan int), make(chan int)
	go func() {
		sum := 0
		for n := range numbers {
			sum += recursive(n)
		}
		done <- sum
	}()
	for i := 0; i < 3; i++ {
		numbers <- i
	}
	close(numbers)
	return <-done
}

//go:noinline
func ofTheLibrary() int {
	words := strings.Fields("these are some words to be sorted")
	sort.Strings(words)
	m := map[string]int{}
	for i, w := range words {
		m[w] = leaf(i)
	}
	text := fmt.Sprintf("%v %d %.2f", words, len(m), 1.5)
	return len(text)
}

func init() {
	runtime.LockOSThread()
}

func main() {
	sink += recursive(5) + closures() + areas([]shape{square{3}, &circle{4}})
	sink += largeFrame(9)
	sink += recovers()
	sink += channels()
	sink += ofTheLibrary()
	runtime.GC()
}
