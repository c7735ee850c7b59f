#include "format/round_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct held_event {
	uint64_t time_ns;
	uint64_t sequence; /* of arrival: keeps the order of those of one time */
	struct event event;
	uint8_t *copy; /* of its payload; NULL when stable */
};

struct round_order {
	bool stable;
	size_t limit_bytes, held_bytes;
	struct held_event *heap; /* the earliest first; children of n are 2n+1 and 2n+2 */
	size_t count, capacity;
	uint64_t next_sequence;
	uint64_t latest_ns;       /* of all that were added */
	uint64_t round_before_ns; /* the latest time when the round before finished */
	bool has_round_before;
	uint64_t ready_ns; /* up to here they may leave */
	bool has_ready;
	size_t ready_count; /* or that many, because the limit was reached */
	uint64_t left_ns;   /* the latest that has left */
	uint64_t late_count, overflow_count;
	uint8_t *lent; /* the copy that round_order_next() gave out last */
};

struct round_order *round_order_create(bool stable, size_t limit_bytes)
{
	struct round_order *order = xcalloc(1, sizeof(*order));

	order->stable = stable;
	order->limit_bytes = limit_bytes;
	return order;
}

void round_order_destroy(struct round_order *order)
{
	if (!order)
		return;
	for (size_t i = 0; i < order->count; i++)
		free(order->heap[i].copy);
	free(order->heap);
	free(order->lent);
	free(order);
}

static bool is_before(const struct held_event *a, const struct held_event *b)
{
	return a->time_ns < b->time_ns || (a->time_ns == b->time_ns && a->sequence < b->sequence);
}

static void move_up(struct held_event *heap, size_t at)
{
	const struct held_event held = heap[at];

	while (at > 0 && is_before(&held, &heap[(at - 1) / 2])) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = held;
}

static void move_down(struct held_event *heap, size_t count)
{
	const struct held_event held = heap[0];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < count && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (child >= count || !is_before(&heap[child], &held))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = held;
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

void round_order_add(struct round_order *order, const struct event *event, uint64_t time_ns)
{
	struct held_event *held;

	order->heap = array_grow(order->heap, &order->capacity, order->count + 1, sizeof(order->heap[0]));
	held = &order->heap[order->count];
	*held = (struct held_event){ .time_ns = time_ns,
				     .sequence = order->next_sequence++,
				     .event = *event };
	if (!order->stable && event->payload_size) {
		held->copy = xmalloc(event->payload_size);
		memcpy(held->copy, event->payload, event->payload_size);
		held->event.payload = held->copy;
	}
	order->held_bytes += bytes_of(order, event);
	move_up(order->heap, order->count++);
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

int round_order_next(struct round_order *order, struct event *event, uint64_t *time_ns)
{
	struct held_event held;

	free(order->lent);
	order->lent = NULL;
	if (!is_ready(order))
		return 0;
	held = order->heap[0];
	order->heap[0] = order->heap[--order->count];
	if (order->count)
		move_down(order->heap, order->count);
	order->held_bytes -= bytes_of(order, &held.event);
	if (order->ready_count)
		order->ready_count--;
	if (held.time_ns < order->left_ns)
		order->late_count++;
	else
		order->left_ns = held.time_ns;
	order->lent = held.copy;
	*event = held.event;
	*time_ns = held.time_ns;
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
