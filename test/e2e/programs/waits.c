/*
 * Waits in known ways for known times, and says how long it did: one line for each kind,
 *
 *	FUNCTION SECONDS WAKER
 *
 * SECONDS is the time of FUNCTION by the clock, less its time on a CPU, for all rounds together; WAKER the name of the thread
 * that woke it, or "-" if none did: a timer or a disk. Every wait is made in the function of that name, every waking in the
 * function of the waker's name.
 *
 * The last line, "total OFF DELAY", is the main thread's time off the CPU since main() began, and the part of it in which it
 * waited for a CPU according to the scheduler (/proc/thread-self/schedstat).
 *
 * usage: waits FILE    a file that may be written, of a file system with a disk
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

enum { ROUNDS = 20, DELAY_MS = 10, WRITES = 100, FILE_BYTES = 64 * 4096 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, handed_on = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready, pipes[3][2];
static volatile unsigned int sink;

static double seconds_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Seconds that this thread was off the CPU up to now. */
static double off_cpu(void)
{
	return seconds_of(CLOCK_MONOTONIC) - seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

static void pause_ms(int ms)
{
	const struct timespec time = { .tv_nsec = ms * 1000000L };

	nanosleep(&time, NULL);
}

/* --- wakers: each pauses, then wakes ----------------------------------------------------------------------- */

APART static void wake_futex(void)
{
	pthread_mutex_lock(&mutex);
	is_ready++;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	sink++;
}

APART static void wake_pipe(void)
{
	sink += (unsigned int)write(pipes[0][1], "x", 1);
}

APART static void wake_poll(void)
{
	sink += (unsigned int)write(pipes[1][1], "x", 1);
}

APART static void wake_epoll(void)
{
	sink += (unsigned int)write(pipes[2][1], "x", 1);
}

static pthread_barrier_t locked;

APART static void wake_lock(void)
{
	pthread_mutex_unlock(&handed_on);
	sink++;
}

enum { PAGE_BYTES = 4096 };
static volatile unsigned char *faulting; /* a page for each round */
static int faults = -1, faulted;

APART static void wake_fault(void)
{
	struct uffdio_zeropage page = { .range = { .start = (unsigned long)faulting +
							    (unsigned long)faulted++ * PAGE_BYTES,
						   .len = PAGE_BYTES } };

	sink += (unsigned int)ioctl(faults, UFFDIO_ZEROPAGE, &page);
}

static void await_fault(void)
{
	struct uffd_msg message;

	sink += (unsigned int)read(faults, &message, sizeof(message));
}

struct waker {
	const char *name;
	void (*wake)(void);
	void (*before)(void);
};

/* Not before the other thread has had it in the previous round. */
static void take_lock(void)
{
	pthread_barrier_wait(&locked);
	pthread_mutex_lock(&handed_on);
	pthread_barrier_wait(&locked);
}

static void *run_waker(void *argument)
{
	const struct waker *waker = argument;

	prctl(PR_SET_NAME, waker->name);
	for (int i = 0; i < ROUNDS; i++) {
		if (waker->before)
			waker->before();
		pause_ms(DELAY_MS);
		waker->wake();
	}
	return NULL;
}

/* --- waits --------------------------------------------------------------------------------------------------- */

APART static void wait_futex(void)
{
	pthread_mutex_lock(&mutex);
	while (!is_ready)
		pthread_cond_wait(&condition, &mutex);
	is_ready--;
	pthread_mutex_unlock(&mutex);
}

APART static void wait_pipe(void)
{
	char byte;

	sink += (unsigned int)read(pipes[0][0], &byte, 1);
}

APART static void wait_poll(void)
{
	struct pollfd entry = { .fd = pipes[1][0], .events = POLLIN };
	char byte;

	sink += (unsigned int)poll(&entry, 1, -1);
	sink += (unsigned int)read(pipes[1][0], &byte, 1);
}

static int epoll_fd;

APART static void wait_epoll(void)
{
	struct epoll_event event;
	char byte;

	sink += (unsigned int)epoll_wait(epoll_fd, &event, 1, -1);
	sink += (unsigned int)read(pipes[2][0], &byte, 1);
}

APART static void wait_lock(void)
{
	pthread_mutex_lock(&handed_on);
	pthread_mutex_unlock(&handed_on);
}

APART static void wait_sleep(void)
{
	pause_ms(DELAY_MS);
	sink++;
}

/* Waits that are shorter than a period. */
APART static void wait_short(void)
{
	const struct timespec time = { .tv_nsec = 200000 };

	nanosleep(&time, NULL);
	sink++;
}

static int file;

APART static void wait_write(void)
{
	static char bytes[4096];

	sink += (unsigned int)pwrite(file, bytes, sizeof(bytes), (off_t)(sink % 64) * 4096);
}

static int fault_round;

APART static void wait_fault(void)
{
	sink += faulting[fault_round++ * PAGE_BYTES];
}

/* --- one after the other ------------------------------------------------------------------------------------ */

/* Measures `rounds` calls. `before` is called before each, and not measured; may be NULL. */
static void measure(const char *name, void (*wait)(void), int rounds, void (*before)(void), const char *waker)
{
	double seconds = 0;

	for (int i = 0; i < rounds; i++) {
		double started;

		if (before)
			before();
		started = off_cpu();
		wait();
		seconds += off_cpu() - started;
	}
	printf("%s %.6f %s\n", name, seconds, waker);
}

static void measure_woken(const char *name, void (*wait)(void), void (*before_wait)(void), struct waker waker)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run_waker, &waker);
	measure(name, wait, ROUNDS, before_wait, waker.name);
	pthread_join(thread, NULL);
}

static void wait_until_locked(void)
{
	pthread_barrier_wait(&locked);
	pthread_barrier_wait(&locked);
}

/* Page faults that another thread resolves: userfaultfd(2), which not every kernel allows to every user. */
static int prepare_faults(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .range = { .len = ROUNDS * PAGE_BYTES },
					 .mode = UFFDIO_REGISTER_MODE_MISSING };

	faulting =
		mmap(NULL, ROUNDS * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (unsigned long)faulting;
	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	return faults < 0 || ioctl(faults, UFFDIO_API, &api) < 0 ||
			       ioctl(faults, UFFDIO_REGISTER, &range) < 0 ?
		       -1 :
		       0;
}

static int prepare(const char *path)
{
	struct epoll_event event = { .events = EPOLLIN };

	for (int i = 0; i < 3; i++)
		if (pipe(pipes[i]) < 0)
			return -1;
	epoll_fd = epoll_create1(0);
	epoll_ctl(epoll_fd, EPOLL_CTL_ADD, pipes[2][0], &event);
	pthread_barrier_init(&locked, NULL, 2);
	file = open(path, O_RDWR | O_CREAT | O_SYNC, 0600);
	if (file < 0 || posix_fallocate(file, 0, FILE_BYTES) != 0)
		return -1;
	return 0;
}

/* Seconds that the thread was ready to run, but had no CPU. */
static double run_delay(void)
{
	unsigned long long cpu_ns, delay_ns = 0;
	FILE *schedstat = fopen("/proc/thread-self/schedstat", "r");

	if (schedstat) {
		if (fscanf(schedstat, "%llu %llu", &cpu_ns, &delay_ns) != 2)
			delay_ns = 0;
		fclose(schedstat);
	}
	return (double)delay_ns / 1e9;
}

int main(int count, char **arguments)
{
	const double off_at_start = off_cpu(), delay_at_start = run_delay();

	if (count != 2 || prepare(arguments[1]) < 0) {
		perror("waits");
		return 1;
	}
	measure_woken("wait_futex", wait_futex, NULL, (struct waker){ "wake_futex", wake_futex, NULL });
	measure_woken("wait_pipe", wait_pipe, NULL, (struct waker){ "wake_pipe", wake_pipe, NULL });
	measure_woken("wait_poll", wait_poll, NULL, (struct waker){ "wake_poll", wake_poll, NULL });
	measure_woken("wait_epoll", wait_epoll, NULL, (struct waker){ "wake_epoll", wake_epoll, NULL });
	measure_woken("wait_lock", wait_lock, wait_until_locked,
		      (struct waker){ "wake_lock", wake_lock, take_lock });
	measure("wait_sleep", wait_sleep, ROUNDS, NULL, "-");
	measure("wait_short", wait_short, 500, NULL, "-");
	measure("wait_write", wait_write, WRITES, NULL, "-");
	if (prepare_faults() == 0)
		measure_woken("wait_fault", wait_fault, NULL,
			      (struct waker){ "wake_fault", wake_fault, await_fault });
	printf("total %.6f %.6f\n", off_cpu() - off_at_start, run_delay() - delay_at_start);
	return 0;
}
