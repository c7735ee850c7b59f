package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"sync"
)

type node struct {
	Name  string
	Nodes []*node
}

func tree(depth int) *node {
	n := &node{Name: fmt.Sprintf("n%d", depth)}
	for i := 0; i < depth; i++ {
		n.Nodes = append(n.Nodes, tree(depth-1))
	}
	return n
}

func work(round int) int {
	text, _ := json.Marshal(tree(6))
	var back node
	_ = json.NewDecoder(bytes.NewReader(text)).Decode(&back)
	words := regexp.MustCompile(`[a-z]+[0-9]`).FindAllString(string(text), -1)
	sort.Slice(words, func(i, j int) bool { return strings.Compare(words[i], words[j]) < 0 })
	return len(words) + round
}

func main() {
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for round := 0; round < 100; round++ {
				work(round)
			}
		}()
	}
	all.Wait()
}
