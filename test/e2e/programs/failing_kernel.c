/*
 * Preload it for a kernel that refuses. FAIL_CALL names the call (perf_event_open, or mmap of a descriptor), FAIL_ERRNO the error
 * number, FAIL_FROM and FAIL_TO the calls that fail, counted from 1. CLOCK_JUMPS=1: each reading of the time of day is an hour
 * away from the last. CLOCK_FORWARD=S: each one except the first is S seconds late.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int number(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text ? atoi(text) : otherwise;
}

static int fails(const char *call, int *calls)
{
	const char *failing = getenv("FAIL_CALL");

	if (!failing || strcmp(failing, call) != 0)
		return 0;
	++*calls;
	if (*calls < number("FAIL_FROM", 1) || *calls > number("FAIL_TO", 1 << 30))
		return 0;
	errno = number("FAIL_ERRNO", EIO);
	return 1;
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): libc's names are its own */
long syscall(long which, ...)
{
	static long (*real)(long, ...);
	static int calls;
	long a[6];
	va_list rest;

	va_start(rest, which);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(rest, long);
	va_end(rest);
	if (!real)
		real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	if ((which == SYS_perf_event_open && fails("perf_event_open", &calls)) ||
	    (which == SYS_bpf && fails("bpf", &calls)))
		return -1;
	return real(which, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): libc's names are its own */
void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	static int calls;

	if (fd >= 0 && flags & MAP_SHARED && fails("mmap", &calls))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

static int time_of_day(struct timespec *now)
{
	static int looks;

	if (syscall(SYS_clock_gettime, CLOCK_REALTIME, now) != 0)
		return -1;
	if (looks++ > 0)
		now->tv_sec += number("CLOCK_FORWARD", 0);
	if (looks % 2 == 0 && number("CLOCK_JUMPS", 0))
		now->tv_sec -= 3600;
	return 0;
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): libc's names are its own */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	return clock == CLOCK_REALTIME ? time_of_day(now) : (int)syscall(SYS_clock_gettime, clock, now);
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): libc's names are its own */
int gettimeofday(struct timeval *now, void *zone)
{
	struct timespec time;

	(void)zone;
	if (time_of_day(&time) != 0)
		return -1;
	now->tv_sec = time.tv_sec;
	now->tv_usec = time.tv_nsec / 1000;
	return 0;
}
