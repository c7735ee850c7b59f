/*
 * Two halves, which two threads may run: begin() and place() compare frames with those before and ask the process table;
 * stack_interner_finish_some() looks up locations, paths and nodes in the profile, with a prefetch before each step. Three caches
 * save most of the work: the last stack of each process, locations by address, and mappings. Their keys contain a number that
 * changes with the process's state, so a new mapping never makes an entry wrong. The first half decides what is in a cache, and the
 * second, which meets all stacks in the same order, has the values.
 */
#include "report/load/stack_interner.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	RECENT_STACKS = 64,       /* a power of two; as many processes as run at about the same time */
	LOCATION_SLOTS = 1 << 14, /* a power of two; 384 KiB, for addresses that are hot */
	KNOWN_RANGES = 16,        /* for files that are hot, of processes that run at about the same time */
};

/* In the profile. */
struct known_node {
	uint32_t path, node;
};

/* The last stack of a process. Its next one mostly begins the same, so the nodes of common frames are not looked up again. */
struct recent_stack {
	struct process_state state;
	uint32_t state_number;      /* unique for each state; 0: none yet */
	struct stack_frame *frames; /* root first */
	size_t count, capacity;
	struct known_node *nodes; /* of the frames; the second half's */
	size_t node_capacity;
};

/* A frame that the process's stack before did not have. */
struct new_frame {
	struct stack_frame frame;
	uint64_t address, hash; /* of its location; set if that is not remembered */
	uint32_t dso, location, path;
	uint16_t slot; /* of locations[], unless the frame is below the kernel's */
	bool is_leaf, is_remembered;
};

struct begun_stack {
	struct recent_stack *recent;
	size_t common;           /* number of frames, from the root, shared with the stack before */
	size_t first, new_count; /* range of new_frames[], root first */
	uint32_t state_number, pid;
	uint64_t time_ns;
	uint32_t node;
};

/* An address while its process is in a state. */
struct location_memo {
	uint64_t address;
	uint64_t state; /* the state's number and the frame's mode; 0: free */
};

struct begun_stacks {
	struct begun_stack *stacks;
	size_t count, capacity;
	size_t placed, finished;      /* so many are */
	struct new_frame *new_frames; /* of all stacks */
	size_t new_count, new_capacity;
};

/* The mapping of a range of user space while its process is in a state. */
struct known_range {
	uint32_t state_number; /* 0: free */
	struct mapping mapping;
};

struct stack_interner {
	struct process_table *processes;
	struct raw_profile *profile;
	struct recent_stack recent[RECENT_STACKS]; /* by process number */
	uint32_t state_count;
	struct begun_stacks begun[2]; /* begun[filling] for the first half, the other for the second */
	size_t filling;
	struct location_memo memos[LOCATION_SLOTS];
	uint32_t locations[LOCATION_SLOTS]; /* of the memos; the second half's */
	struct known_range ranges[KNOWN_RANGES];
	size_t next_range;
};

struct stack_interner *stack_interner_create(struct process_table *processes, struct raw_profile *profile)
{
	struct stack_interner *interner = xcalloc_written(1, sizeof(*interner));

	interner->processes = processes;
	interner->profile = profile;
	return interner;
}

void stack_interner_destroy(struct stack_interner *interner)
{
	if (!interner)
		return;
	for (size_t i = 0; i < RECENT_STACKS; i++) {
		free(interner->recent[i].frames);
		free(interner->recent[i].nodes);
	}
	for (size_t i = 0; i < 2; i++) {
		free(interner->begun[i].stacks);
		free(interner->begun[i].new_frames);
	}
	free(interner);
}

/* --- mappings ------------------------------------------------------------------ */

static const struct mapping *find_in_ranges(const struct stack_interner *interner, uint64_t address,
					    uint32_t state_number)
{
	for (size_t i = 0; i < KNOWN_RANGES; i++) {
		const struct known_range *range = &interner->ranges[i];

		if (range->state_number == state_number && address >= range->mapping.start &&
		    address < range->mapping.end)
			return &range->mapping;
	}
	return NULL;
}

static int ask_process(struct stack_interner *interner, const struct stack_frame *frame, bool below_kernel,
		       uint32_t pid, uint64_t time_ns, struct mapping *mapping)
{
	struct process_table *processes = interner->processes;

	if (frame->mode == FRAME_KERNEL)
		return process_table_find(processes, pid, time_ns, ADDRESS_KERNEL, frame->address, mapping);
	if (below_kernel)
		return process_table_find_left(processes, pid, time_ns, frame->address, mapping);
	return process_table_find_range(processes, pid, time_ns, frame->address, mapping);
}

/* A new address is mostly in a mapping with others: only the first of them is looked up in the history of the process. */
static bool find_mapping(struct stack_interner *interner, const struct stack_frame *frame, bool is_leaf,
			 uint32_t state_number, uint32_t pid, uint64_t time_ns, struct mapping *mapping)
{
	const bool below_kernel = !is_leaf && frame->origin == FRAME_SAMPLED;
	const bool in_ranges = frame->mode == FRAME_USER && !below_kernel;
	const struct mapping *known =
		in_ranges ? find_in_ranges(interner, frame->address, state_number) : NULL;

	if (known) {
		*mapping = *known;
		return true;
	}
	if (frame->mode != FRAME_KERNEL && frame->mode != FRAME_USER)
		return false; /* an address of another machine */
	if (!ask_process(interner, frame, below_kernel, pid, time_ns, mapping))
		return false;
	if (in_ranges)
		interner->ranges[interner->next_range++ % KNOWN_RANGES] =
			(struct known_range){ state_number, *mapping };
	return true;
}

/* --- beginning stacks ------------------------------------------------------------ */

static uint64_t memo_state(const struct stack_frame *frame, uint32_t state_number)
{
	return (uint64_t)state_number << 8 | frame->mode;
}

static uint16_t slot_of(const struct stack_frame *frame, uint32_t state_number)
{
	static_assert(LOCATION_SLOTS <= 1 << 16, "a slot is 16 bits");
	return hash_combine(frame->address, memo_state(frame, state_number)) & (LOCATION_SLOTS - 1);
}

static bool same_frame(const struct stack_frame *a, const struct stack_frame *b)
{
	return a->address == b->address && a->mode == b->mode && a->origin == b->origin;
}

/* Number of frames, from the root, that a stack (leaf first) has in common with the process's last one. */
static size_t common_frames(const struct recent_stack *recent, const struct stack_frame *frames, size_t count)
{
	size_t most = count < recent->count ? count : recent->count, common;

	for (common = 0; common < most; common++)
		if (!same_frame(&recent->frames[common], &frames[count - 1 - common]))
			break;
	/* A leaf is not taken over, since it is looked up differently from the address at which user code was left. */
	return common && common == most ? common - 1 : common;
}

static struct recent_stack *recent_of(struct stack_interner *interner, const struct process_state *state)
{
	struct recent_stack *recent = &interner->recent[state->process & (RECENT_STACKS - 1)];

	if (!recent->state_number || !process_state_equal(&recent->state, state)) {
		recent->state = *state;
		recent->state_number = ++interner->state_count;
		recent->count = 0;
	}
	return recent;
}

/* The address at which user code was left is looked up separately, and not remembered. */
static bool is_below_kernel(const struct new_frame *new)
{
	return !new->is_leaf &&new->frame.origin == FRAME_SAMPLED;
}

/* Puts the frames into the recent stack. */
static void add_new_frames(struct stack_interner *interner, struct begun_stacks *begun,
			   struct recent_stack *recent, const struct stack_frame *frames, size_t common,
			   size_t count)
{
	recent->frames = array_grow(recent->frames, &recent->capacity, count, sizeof(*recent->frames));
	begun->new_frames = array_grow(begun->new_frames, &begun->new_capacity,
				       begun->new_count + count - common, sizeof(*begun->new_frames));
	for (size_t i = common; i < count; i++) {
		const struct stack_frame *frame = &frames[count - 1 - i];
		const uint16_t slot = slot_of(frame, recent->state_number);

		recent->frames[i] = *frame;
		begun->new_frames[begun->new_count++] =
			(struct new_frame){ .frame = *frame, .slot = slot, .is_leaf = i + 1 == count };
		__builtin_prefetch(&interner->memos[slot]);
	}
	recent->count = count;
}

uint32_t stack_interner_begin(struct stack_interner *interner, const struct stack_frame *frames, size_t count,
			      const struct process_state *state, uint32_t pid, uint64_t time_ns)
{
	struct begun_stacks *begun = &interner->begun[interner->filling];
	struct recent_stack *recent = recent_of(interner, state);
	const size_t common = common_frames(recent, frames, count);

	begun->stacks = array_grow(begun->stacks, &begun->capacity, begun->count + 1, sizeof(*begun->stacks));
	begun->stacks[begun->count] = (struct begun_stack){ .recent = recent,
							    .common = common,
							    .first = begun->new_count,
							    .new_count = count - common,
							    .state_number = recent->state_number,
							    .pid = pid,
							    .time_ns = time_ns };
	add_new_frames(interner, begun, recent, frames, common, count);
	return (uint32_t)begun->count++;
}

/* --- places ---------------------------------------------------------------------------- */

static void place_frame(struct stack_interner *interner, const struct begun_stack *stack,
			struct new_frame *new)
{
	struct mapping mapping;

	new->dso = PROFILE_NONE;
	new->address = new->frame.address;
	if (find_mapping(interner, &new->frame, new->is_leaf, stack->state_number, stack->pid, stack->time_ns,
			 &mapping)) {
		new->dso = mapping.dso->number;
		new->address = mapping_to_dso_address(&mapping, new->frame.address);
	}
	new->hash = profile_location_hash(new->dso, new->address, (enum frame_mode) new->frame.mode);
}

/* Finds out which locations are remembered, and what the others are looked up by. */
static void place_stack(struct stack_interner *interner, const struct begun_stack *stack,
			struct new_frame *frames)
{
	for (size_t i = 0; i < stack->new_count; i++) {
		const uint64_t state = memo_state(&frames[i].frame, stack->state_number);
		struct location_memo *memo = &interner->memos[frames[i].slot];
		const bool is_remembered = !is_below_kernel(&frames[i]) && memo->state == state &&
					   memo->address == frames[i].frame.address;

		frames[i].is_remembered = is_remembered;
		if (is_remembered)
			continue;
		place_frame(interner, stack, &frames[i]);
		if (!is_below_kernel(&frames[i]))
			*memo = (struct location_memo){ frames[i].frame.address, state };
	}
}

void stack_interner_place(struct stack_interner *interner)
{
	struct begun_stacks *begun = &interner->begun[interner->filling];

	for (; begun->placed < begun->count; begun->placed++) {
		const struct begun_stack *stack = &begun->stacks[begun->placed];

		place_stack(interner, stack, begun->new_frames + stack->first);
	}
}

void stack_interner_hand_over(struct stack_interner *interner)
{
	struct begun_stacks *begun;

	interner->filling = !interner->filling;
	begun = &interner->begun[interner->filling];
	begun->count = begun->placed = begun->finished = begun->new_count = 0;
}

/* --- locations ----------------------------------------------------------------------- */

static void prefetch_locations(const struct stack_interner *interner, const struct new_frame *frames,
			       size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!frames[i].is_remembered)
			raw_profile_prefetch_location(interner->profile, frames[i].hash);
	for (size_t i = 0; i < count; i++)
		if (!frames[i].is_remembered)
			raw_profile_prefetch_location_item(interner->profile, frames[i].hash);
}

static void find_locations(struct stack_interner *interner, struct new_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct new_frame *new = &frames[i];
		uint32_t *remembered = &interner->locations[new->slot];

		if (new->is_remembered) {
			new->location = *remembered;
			continue;
		}
		new->location = raw_profile_location(interner->profile, new->dso, new->address,
						     (enum frame_mode) new->frame.mode);
		if (!is_below_kernel(new))
			*remembered = new->location;
	}
}

/* --- nodes --------------------------------------------------------------------------- */

static void find_paths(const struct stack_interner *interner, const struct begun_stack *stack,
		       struct new_frame *frames)
{
	struct recent_stack *recent = stack->recent;
	uint32_t path = stack->common ? recent->nodes[stack->common - 1].path : STACK_PATH_ROOT;

	recent->nodes = array_grow(recent->nodes, &recent->node_capacity, stack->common + stack->new_count,
				   sizeof(*recent->nodes));
	for (size_t i = 0; i < stack->new_count; i++) {
		path = profile_stack_path(path, frames[i].location,
					  (enum frame_origin)frames[i].frame.origin);
		recent->nodes[stack->common + i].path = frames[i].path = path;
		raw_profile_prefetch_stack(interner->profile, path);
	}
}

static void find_nodes(const struct stack_interner *interner, struct begun_stack *stack,
		       const struct new_frame *frames)
{
	struct known_node *nodes = stack->recent->nodes;

	stack->node = stack->common ? nodes[stack->common - 1].node : PROFILE_NONE;
	for (size_t i = 0; i < stack->new_count; i++) {
		stack->node = raw_profile_stack(interner->profile, stack->node, frames[i].location,
						(enum frame_origin)frames[i].frame.origin);
		nodes[stack->common + i].node = stack->node;
	}
}

void stack_interner_finish_some(struct stack_interner *interner, size_t count)
{
	struct begun_stacks *begun = &interner->begun[!interner->filling];
	struct begun_stack *stacks = begun->stacks + begun->finished;
	struct new_frame *frames;
	size_t new_count;

	if (!count)
		return;
	frames = begun->new_frames + stacks[0].first;
	new_count = stacks[count - 1].first + stacks[count - 1].new_count - stacks[0].first;
	prefetch_locations(interner, frames, new_count);
	find_locations(interner, frames, new_count);
	for (size_t i = 0; i < count; i++)
		find_paths(interner, &stacks[i], begun->new_frames + stacks[i].first);
	for (size_t i = 0; i < new_count; i++)
		raw_profile_prefetch_stack_item(interner->profile, frames[i].path);
	for (size_t i = 0; i < count; i++)
		find_nodes(interner, &stacks[i], begun->new_frames + stacks[i].first);
	begun->finished += count;
}

void stack_interner_finish(struct stack_interner *interner)
{
	stack_interner_place(interner);
	stack_interner_hand_over(interner);
	stack_interner_finish_some(interner, interner->begun[!interner->filling].count);
}

uint32_t stack_interner_node(const struct stack_interner *interner, uint32_t number)
{
	return interner->begun[!interner->filling].stacks[number].node;
}
