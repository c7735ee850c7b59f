#!/usr/bin/env bash
# A program that waits for a perf event with epoll works on a played kernel as on a real one: it wakes up when its ring has data, and
# only then.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/lib/played.sh
. "$(dirname "$0")/../lib/played.sh"
need_player
command -v gcc >/dev/null || skip_all "gcc is not installed"
cd "$tmp" || exit 1

cat >watch.c <<'END_OF_C'
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SAMPLE_BYTES = 16 };

/* What is ready by `timeout_ms`: the data that it was registered with, 0: nothing. */
static unsigned ready(int instance, int timeout_ms)
{
	struct epoll_event event;

	return epoll_wait(instance, &event, 1, timeout_ms) == 1 && event.events == EPOLLIN ? event.data.u32 : 0;
}

static int control(int instance, int operation, int fd, unsigned data)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = data };

	return epoll_ctl(instance, operation, fd, &event) < 0 ? errno : 0;
}

/* Reads the ring; samples. */
static unsigned take(struct perf_event_mmap_page *page)
{
	const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), tail = page->data_tail;

	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	return (head - tail) / SAMPLE_BYTES;
}

int main(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .sample_period = 1000,
					.sample_type = PERF_SAMPLE_IP, .disabled = 1 };
	const int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	const int instance = epoll_create1(EPOLL_CLOEXEC);
	const long page_bytes = sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page = mmap(NULL, 2 * page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	struct pollfd entry = { .fd = instance, .events = POLLIN };
	unsigned samples = 0, rounds = 0;

	if (fd < 0 || page == MAP_FAILED)
		return 1;
	printf("add %d", control(instance, EPOLL_CTL_ADD, fd, 42));
	printf(" %d\n", control(instance, EPOLL_CTL_ADD, fd, 42) == EEXIST);
	printf("empty %u %d\n", ready(instance, 0), poll(&entry, 1, 0));
	printf("enable %d\n", ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	while (samples < 1000 && ready(instance, 20000) == 42) {
		if (rounds++ == 0)
			printf("ready %u %d\n", ready(instance, 0), poll(&entry, 1, 0));
		samples += take(page);
	}
	printf("samples %u in several rounds %d\n", samples, rounds > 1);
	printf("read %u %d\n", ready(instance, 0), poll(&entry, 1, 0));
	printf("change %d\n", control(instance, EPOLL_CTL_MOD, fd, 43));
	printf("remove %d", control(instance, EPOLL_CTL_DEL, fd, 0));
	printf(" %d\n", control(instance, EPOLL_CTL_DEL, fd, 0) == ENOENT);
	printf("add %d\n", control(instance, EPOLL_CTL_ADD, fd, 44));
	close(fd);
	printf("closed %u\n", ready(instance, 0));
	return 0;
}
END_OF_C
gcc -O1 -o watch watch.c || exit 1
{
	echo "machine pmu"
	seq 1000 | sed 's/.*/sample pid=1 tid=1 time=&000 ip=0x&/'
} >watch.play
status_is 0 "a_program_that_waits_with_epoll_ends" play watch.play ./watch
is "$output" "add 0 1
empty 0 0
enable 0
ready 42 1
samples 1000 in several rounds 1
read 0 0
change 0
remove 0 1
add 0
closed 0" "it_wakes_up_while_there_is_data_and_only_then"
done_testing
