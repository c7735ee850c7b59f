/*
 * Records form runs, which are lists of records that came in order, and a binary heap has the first record of each run.
 * finish_round() only moves `ready_ns`; round_order_next() takes the top of the heap up to that time. A free list has the
 * places of records that left.
 */
#include "format/round_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct held_event {
	struct event event;
	uint64_t time_ns, sequence; /* sequence: number of arrival, which orders events of the same time */
	uint8_t *copy;              /* of its payload; NULL if payloads are stable */
	uint32_t next; /* place of the next event in its run, or of the next free place; NO_PLACE at the end */
};

/*
 * A run is a list of records that came in order, mostly from one ring. The heap has only the first record of each run, so
 * it is as small as the number of rings in two rounds.
 */
struct run {
	uint64_t time_ns, sequence; /* of its first record */
	uint32_t first;             /* its place */
};

enum { NO_PLACE = UINT32_MAX };

struct round_order {
	bool stable;
	size_t limit_bytes, held_bytes;
	struct run *heap; /* earliest first; the children of n are 2n+1 and 2n+2 */
	size_t run_count, run_capacity;
	uint32_t last_added; /* end of the run that the next record may continue; NO_PLACE if it has left */
	struct held_event *held;
	size_t place_count, place_capacity;
	uint32_t free_place; /* first free place of a list, or NO_PLACE */
	size_t count;        /* number of events held */
	uint64_t next_sequence;
	uint64_t latest_ns;       /* of all events added */
	uint64_t round_before_ns; /* latest_ns when the previous round finished */
	bool has_round_before;
	uint64_t ready_ns; /* events up to this time may leave */
	bool has_ready;
	size_t ready_count; /* so many more may leave because the limit was reached */
	uint64_t left_ns;   /* latest time that has left */
	uint64_t late_count, overflow_count;
	uint8_t *lent; /* the copy that round_order_next() returned last */
};

struct round_order *round_order_create(bool stable, size_t limit_bytes)
{
	struct round_order *order = xcalloc(1, sizeof(*order));

	order->stable = stable;
	order->limit_bytes = limit_bytes;
	order->free_place = order->last_added = NO_PLACE;
	return order;
}

void round_order_destroy(struct round_order *order)
{
	if (!order)
		return;
	for (size_t i = 0; i < order->run_count; i++)
		for (uint32_t at = order->heap[i].first; at != NO_PLACE; at = order->held[at].next)
			free(order->held[at].copy);
	free(order->heap);
	free(order->held);
	free(order->lent);
	free(order);
}

static bool is_before(const struct run *a, const struct run *b)
{
	return a->time_ns < b->time_ns || (a->time_ns == b->time_ns && a->sequence < b->sequence);
}

static void move_up(struct run *heap, size_t at)
{
	const struct run moved = heap[at];

	while (at > 0 && is_before(&moved, &heap[(at - 1) / 2])) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = moved;
}

static void move_down(struct run *heap, size_t count)
{
	const struct run moved = heap[0];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < count && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (child >= count || !is_before(&heap[child], &moved))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

static bool is_full(const struct round_order *order)
{
	return order->held_bytes > order->limit_bytes ||
	       (!order->has_round_before && order->held_bytes > ROUND_ORDER_ROUNDLESS_BYTES);
}

static size_t bytes_of(const struct round_order *order, const struct event *event)
{
	return sizeof(struct held_event) + (order->stable ? 0 : event->payload_size);
}

static uint32_t take_place(struct round_order *order)
{
	uint32_t place = order->free_place;

	if (place != NO_PLACE) {
		order->free_place = order->held[place].next;
		return place;
	}
	order->held = array_grow(order->held, &order->place_capacity, order->place_count + 1,
				 sizeof(order->held[0]));
	return (uint32_t)order->place_count++;
}

static void give_place_back(struct round_order *order, uint32_t place)
{
	order->held[place].next = order->free_place;
	order->free_place = place;
}

static uint32_t hold(struct round_order *order, const struct event *event, uint64_t time_ns)
{
	const uint32_t place = take_place(order);
	struct held_event *held = &order->held[place];

	*held = (struct held_event){
		.event = *event, .time_ns = time_ns, .sequence = order->next_sequence++, .next = NO_PLACE
	};
	if (!order->stable && event->payload_size) {
		held->copy = xmalloc(event->payload_size);
		memcpy(held->copy, event->payload, event->payload_size);
		held->event.payload = held->copy;
	}
	return place;
}

static struct run run_from(const struct round_order *order, uint32_t place)
{
	const struct held_event *held = &order->held[place];

	return (struct run){ .time_ns = held->time_ns, .sequence = held->sequence, .first = place };
}

static void begin_run(struct round_order *order, uint32_t place)
{
	order->heap =
		array_grow(order->heap, &order->run_capacity, order->run_count + 1, sizeof(order->heap[0]));
	order->heap[order->run_count] = run_from(order, place);
	move_up(order->heap, order->run_count++);
}

void round_order_add(struct round_order *order, const struct event *event, uint64_t time_ns)
{
	const uint32_t place = hold(order, event, time_ns), last = order->last_added;

	if (last != NO_PLACE && order->held[last].time_ns <= time_ns)
		order->held[last].next = place;
	else
		begin_run(order, place);
	order->last_added = place;
	order->count++;
	order->held_bytes += bytes_of(order, event);
	if (time_ns > order->latest_ns)
		order->latest_ns = time_ns;
	if (is_full(order) && order->ready_count == 0) {
		order->ready_count = (order->count + 1) / 2;
		order->overflow_count++;
	}
}

void round_order_finish_round(struct round_order *order)
{
	if (order->has_round_before) {
		order->ready_ns = order->round_before_ns;
		order->has_ready = true;
	}
	order->round_before_ns = order->latest_ns;
	order->has_round_before = true;
}

void round_order_finish(struct round_order *order)
{
	order->ready_ns = UINT64_MAX;
	order->has_ready = true;
}

static bool is_ready(const struct round_order *order)
{
	return order->count > 0 &&
	       (order->ready_count > 0 || (order->has_ready && order->heap[0].time_ns <= order->ready_ns));
}

/* Removes the earliest event from the heap; the next one of its run takes its place. */
static uint32_t take_first(struct round_order *order)
{
	const uint32_t place = order->heap[0].first;
	const uint32_t next = order->held[place].next;

	if (next != NO_PLACE)
		order->heap[0] = run_from(order, next);
	else
		order->heap[0] = order->heap[--order->run_count];
	if (order->run_count)
		move_down(order->heap, order->run_count);
	if (order->last_added == place)
		order->last_added = NO_PLACE;
	return place;
}

int round_order_next(struct round_order *order, struct event *event, uint64_t *time_ns)
{
	const struct held_event *held;
	uint32_t place;

	free(order->lent);
	order->lent = NULL;
	if (!is_ready(order))
		return 0;
	place = take_first(order);
	held = &order->held[place];
	order->count--;
	order->held_bytes -= bytes_of(order, &held->event);
	if (order->ready_count)
		order->ready_count--;
	if (held->time_ns < order->left_ns)
		order->late_count++;
	else
		order->left_ns = held->time_ns;
	order->lent = held->copy;
	*event = held->event;
	*time_ns = held->time_ns;
	give_place_back(order, place);
	return 1;
}

uint64_t round_order_late_count(const struct round_order *order)
{
	return order->late_count;
}

uint64_t round_order_overflow_count(const struct round_order *order)
{
	return order->overflow_count;
}
