#ifndef XPROF_TEST_KERNEL_PLAYED_EVENT_H
#define XPROF_TEST_KERNEL_PLAYED_EVENT_H

/* The events that a recorder has opened, and their rings. An event's number is its index. */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct played_ring {
	struct perf_event_mmap_page *control; /* NULL if not mapped */
	uint8_t *data;
	size_t size_bytes; /* a power of two */
	uint64_t head;
};

struct played_event {
	struct perf_event_attr attr;
	pid_t pid; /* of a thread; -1: any */
	int cpu;   /* -1: any */
	pid_t owner;
	int leader; /* number of its group's leader; without a group its own */
	int output; /* number of the event whose ring it writes into; by default its own */
	int memory; /* memfd of its ring */
	bool is_enabled, is_closed;
	uint64_t id, counted, opened_ns; /* opened_ns: of CLOCK_MONOTONIC */
	struct played_ring ring;
	int ready_fd;        /* see played_epoll.h; 0 if in no instance */
	uint64_t ready_head; /* head of the ring when it was last made readable */
};

struct played_events {
	struct played_event *items;
	size_t count, capacity;
};

void played_events_init(struct played_events *events);
void played_events_fini(struct played_events *events);

/* Returns the event's number, or -1 with err. Its descriptor is its memory, by which played_events_find() recognizes it. */
int played_events_add(struct played_events *events, const struct perf_event_attr *attr, pid_t pid, int cpu,
		      int leader, pid_t owner, struct error *err);

/* The number of the event that a process's descriptor stands for; -1 if none. */
int played_events_find(const struct played_events *events, pid_t pid, int fd);

size_t played_events_open_count(const struct played_events *events);

/* Prepares the ring of `size_bytes` that the recorder is about to map. */
int played_event_map(struct played_event *event, size_t size_bytes, struct error *err);

/* The ring that the event writes into; NULL if none is mapped. */
struct played_ring *played_events_ring(struct played_events *events, struct played_event *event);

/* Whether it takes samples: it is open and enabled, and has a period and a ring. */
bool played_events_is_sampling(struct played_events *events, struct played_event *event);

/* Returns false if there is no room now. */
bool played_ring_write(struct played_ring *ring, const void *record, size_t size);
bool played_ring_has_data(const struct played_ring *ring);

#endif
