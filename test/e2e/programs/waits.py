"""Waits in known ways for known times, each in a thread of its own: see wait_threads.py for what is printed."""

import ctypes
import os
import select
import threading
import time

ROUNDS, DELAY = 20, 0.01
libc = ctypes.CDLL(None)
lines = []


def off_cpu():
    return time.monotonic() - time.thread_time()


def measured(name, waker, wait):
    def run():
        libc.prctl(15, name.encode(), 0, 0, 0)  # PR_SET_NAME
        begin = off_cpu()
        for _ in range(ROUNDS):
            wait()
        seconds = off_cpu() - begin
        libc.prctl(15, b"over", 0, 0, 0)
        lines.append(f"{name} {seconds:.6f} {waker}")

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def waker(name, wake):
    def run():
        libc.prctl(15, name.encode(), 0, 0, 0)
        for _ in range(ROUNDS):
            time.sleep(DELAY)
            wake()
        libc.prctl(15, b"over", 0, 0, 0)

    threading.Thread(target=run).start()


ends, polled = os.pipe(), os.pipe()
lock = threading.Lock()
lock.acquire()


def wait_poll():
    select.select([polled[0]], [], [])
    os.read(polled[0], 1)


threads = [
    measured("wait_sleep", "-", lambda: time.sleep(DELAY)),
    measured("wait_pipe", "wake_pipe", lambda: os.read(ends[0], 1)),
    measured("wait_poll", "wake_poll", wait_poll),
    measured("wait_lock", "wake_lock", lock.acquire),
]
waker("wake_pipe", lambda: os.write(ends[1], b"x"))
waker("wake_poll", lambda: os.write(polled[1], b"x"))
waker("wake_lock", lambda: lock.locked() and lock.release())
for thread in threads:
    thread.join()
print("\n".join(lines))
