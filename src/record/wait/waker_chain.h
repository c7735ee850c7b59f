#ifndef XPROF_RECORD_WAIT_WAKER_CHAIN_H
#define XPROF_RECORD_WAIT_WAKER_CHAIN_H

/*
 * The wakings that a wait was waiting for: that of the thread itself, that of its waker, and so on.
 *
 *	timer ──▶ reader ──▶ parser ──▶ writer      the chain of the writer's wait: parser, reader, [timer]
 *
 * A waker belongs to the chain of a wait only if it was woken itself after that wait had begun. Before that, the sleeper did not
 * wait for it. The BPF programs tell when a waker was last woken, and a chain goes on only if that very waking is known here: it
 * may be of a wait that was not sampled, or sampled only for its time on the run queue.
 */

#include <stddef.h>
#include <stdint.h>

#include "format/off_cpu_wait.h"

/* A thread, or an interrupt, woke a thread. Shared by the chains of several waits. */
struct waking {
	unsigned int references;
	struct off_cpu_waking waker; /* chain: `words` */
	size_t word_count;
	uint64_t words[];
};

/* A waking with this stack (copied) and one reference, which the caller has. */
struct waking *waking_create(const struct off_cpu_waking *waker, const uint64_t *words, size_t count);
/* `waking` may be NULL. */
void waking_release(struct waking *waking);

/* The wakings of a wait, the last first: none if nothing woke the thread. Has a reference to each. */
struct waker_chain {
	struct waking *wakings[OFF_CPU_CHAIN_WAKERS];
	size_t count;
};

void waker_chain_fini(struct waker_chain *chain);
/* The chain goes into the description of the wait, which borrows its words. Chains longer than a sample can hold are shortened. */
void waker_chain_describe(const struct waker_chain *chain, struct off_cpu_wait *wait);

/* The chains of the last sampled waits of up to 1,024 threads. */
struct waker_chains;

struct waker_chains *waker_chains_create(void);
void waker_chains_destroy(struct waker_chains *chains);

/*
 * The chain of a wait that began at `begin_ns` and that `waking` ended. `waker_woken_ns` is when its waker had last been woken;
 * 0: not known. Takes the caller's reference to `waking`.
 */
struct waker_chain waker_chains_extend(const struct waker_chains *chains, struct waking *waking,
				       uint64_t waker_woken_ns, uint64_t begin_ns);

/* Notes the chain as that of the thread's last sampled wait. */
void waker_chains_note(struct waker_chains *chains, uint32_t tid, const struct waker_chain *chain);

#endif
