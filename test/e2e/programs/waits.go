// Waits in known ways for known times, each in a thread of its own: see wait_threads.py for what is printed.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

const rounds = 20
const delay = 10 * time.Millisecond

var lines []string
var mutex sync.Mutex

func name(text string) {
	bytes := append([]byte(text), 0)
	syscall.RawSyscall(syscall.SYS_PRCTL, 15 /* PR_SET_NAME */, uintptr(unsafe.Pointer(&bytes[0])), 0)
}

func clock(number uintptr) float64 {
	var now syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, number, uintptr(unsafe.Pointer(&now)), 0)
	return float64(now.Sec) + float64(now.Nsec)/1e9
}

// Of this thread: CLOCK_MONOTONIC without CLOCK_THREAD_CPUTIME_ID.
func offCPU() float64 {
	return clock(1) - clock(3)
}

func sleepBlocking() {
	pause := syscall.NsecToTimespec(int64(delay))
	syscall.Nanosleep(&pause, nil)
}

func measured(text string, waker string, wait func(), over *sync.WaitGroup) {
	defer over.Done()
	runtime.LockOSThread() // and never unlocked: the thread ends with this
	name(text)
	begin := offCPU()
	for i := 0; i < rounds; i++ {
		wait()
	}
	seconds := offCPU() - begin
	name("over")
	mutex.Lock()
	lines = append(lines, fmt.Sprintf("%s %.6f %s", text, seconds, waker))
	mutex.Unlock()
}

func waker(text string, wake func()) {
	runtime.LockOSThread()
	name(text)
	for i := 0; i < rounds; i++ {
		sleepBlocking()
		wake()
	}
	name("over")
}

func main() {
	var pipe [2]int
	var over sync.WaitGroup
	var buffer [1]byte

	syscall.Pipe(pipe[:])
	over.Add(2)
	go measured("wait_sleep", "-", sleepBlocking, &over)
	go measured("wait_pipe", "wake_pipe", func() { syscall.Read(pipe[0], buffer[:]) }, &over)
	go waker("wake_pipe", func() { syscall.Write(pipe[1], []byte{0}) })
	over.Wait()
	for _, line := range lines {
		fmt.Println(line)
	}
}
