/*
 * The SIGBUS handler finds the guard of the faulting address and maps zeros over the rest of that mapping, then the
 * instruction runs again. A handler can take no lock, so guards are a fixed array of atomics: `taken` reserves an entry,
 * `start`, written last, makes it visible to the handler.
 */
#include "base/map_guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * A recording in a directory has a file for each CPU; a report on a whole system keeps a program and a debug file open for
 * each of thousands of DSOs.
 */
enum { MAX_GUARDS = 16384 };

struct map_guard {
	atomic_bool taken;
	atomic_uintptr_t start; /* 0 if not guarded now; set last */
	atomic_size_t size_bytes;
	atomic_bool hit;
};

/* Globals, because a signal handler has no other context. */
static struct map_guard guards[MAX_GUARDS];
static atomic_size_t last_taken; /* the next free entry is likely after it */
static struct sigaction previous_action;
static uintptr_t page_size_bytes;

static struct map_guard *guard_of(uintptr_t address)
{
	for (size_t i = 0; i < MAX_GUARDS; i++) {
		uintptr_t start = atomic_load(&guards[i].start);

		if (start && address >= start && address - start < atomic_load(&guards[i].size_bytes))
			return &guards[i];
	}
	return NULL;
}

/* Maps zeros from the page of this address to the mapping's end. */
static bool cover(struct map_guard *guard, uintptr_t address)
{
	const uintptr_t end = atomic_load(&guard->start) + atomic_load(&guard->size_bytes);
	const uintptr_t page = address & ~(page_size_bytes - 1);

	return mmap((void *)page, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
	       MAP_FAILED;
}

/* The faulting instruction runs again on return. For a fault outside guarded mappings it then reaches the previous handler. */
static void on_bus_error(int number, siginfo_t *details, void *context)
{
	const int saved_errno = errno;
	struct map_guard *guard = guard_of((uintptr_t)details->si_addr);

	(void)context;
	if (guard && cover(guard, (uintptr_t)details->si_addr))
		atomic_store(&guard->hit, true);
	else
		(void)sigaction(number, &previous_action, NULL);
	errno = saved_errno;
}

/* Repeated for each guard, because other code, such as a test library, may have installed its own handler meanwhile. */
static void put_up_handler(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_ONSTACK }, now;

	(void)pthread_mutex_lock(&lock);
	page_size_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	if (sigaction(SIGBUS, NULL, &now) == 0 && now.sa_sigaction != on_bus_error) {
		previous_action = now;
		(void)sigemptyset(&action.sa_mask);
		(void)sigaction(SIGBUS, &action, NULL);
	}
	(void)pthread_mutex_unlock(&lock);
}

struct map_guard *map_guard_add(const void *start, size_t size_bytes)
{
	const size_t first = atomic_load(&last_taken) + 1;

	put_up_handler();
	for (size_t i = 0; i < MAX_GUARDS; i++) {
		const size_t number = (first + i) % MAX_GUARDS;
		struct map_guard *guard = &guards[number];

		if (atomic_exchange(&guard->taken, true))
			continue;
		atomic_store(&last_taken, number);
		atomic_store(&guard->hit, false);
		atomic_store(&guard->size_bytes, size_bytes);
		atomic_store(&guard->start, (uintptr_t)start);
		return guard;
	}
	return NULL;
}

bool map_guard_was_hit(const struct map_guard *guard)
{
	return guard && atomic_load(&guard->hit);
}

void map_guard_remove(struct map_guard *guard)
{
	if (!guard)
		return;
	atomic_store(&guard->start, 0);
	atomic_store(&guard->taken, false);
}
