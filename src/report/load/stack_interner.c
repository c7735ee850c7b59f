/*
 * stack_interner_finish() shows the steps: locations from the cache, other locations from the profile, paths, nodes, with a
 * prefetch before each. Three caches save most of the work: the last stack of each process, locations by address, and
 * mappings. Their keys contain a number that changes with the process's state, so a new mapping never makes an entry wrong.
 */
#include "report/load/stack_interner.h"

#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	RECENT_STACKS = 64,       /* a power of two; as many processes as run at about the same time */
	LOCATION_SLOTS = 1 << 14, /* a power of two; 384 KiB, for addresses that are hot */
	KNOWN_RANGES = 16,        /* for files that are hot, of processes that run at about the same time */
};

struct known_frame {
	struct stack_frame frame;
	uint32_t path, node; /* in the profile; set when the stack is finished */
};

/* The last stack of a process. Its next one mostly begins the same, so the nodes of common frames are not looked up again. */
struct recent_stack {
	struct process_state state;
	uint32_t state_number;     /* unique for each state; 0: none yet */
	struct known_frame *known; /* root first */
	size_t count, capacity;
};

/* A frame that the process's stack before did not have. */
struct new_frame {
	struct stack_frame frame;
	uint64_t address, hash; /* of its location; set if that is not remembered */
	uint32_t dso, location, path;
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

/* The location of an address while its process is in a state. */
struct location_memo {
	uint64_t address;
	uint64_t state; /* the state's number and the frame's mode; 0: free */
	uint32_t location;
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
	struct begun_stack *begun;
	size_t begun_count, begun_capacity;
	struct new_frame *new_frames; /* of all begun stacks */
	size_t new_count, new_capacity;
	bool finished; /* the stacks in begun[] are finished */
	struct location_memo locations[LOCATION_SLOTS];
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
	for (size_t i = 0; i < RECENT_STACKS; i++)
		free(interner->recent[i].known);
	free(interner->begun);
	free(interner->new_frames);
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

static struct location_memo *memo_of(struct stack_interner *interner, const struct stack_frame *frame,
				     uint32_t state_number)
{
	const uint64_t hash = hash_combine(frame->address, memo_state(frame, state_number));

	return &interner->locations[hash & (LOCATION_SLOTS - 1)];
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
		if (!same_frame(&recent->known[common].frame, &frames[count - 1 - common]))
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

/* Puts the frames into the recent stack. Their paths and nodes follow later, in the order in which stacks were begun. */
static void add_new_frames(struct stack_interner *interner, struct recent_stack *recent,
			   const struct stack_frame *frames, size_t common, size_t count)
{
	recent->known = array_grow(recent->known, &recent->capacity, count, sizeof(*recent->known));
	interner->new_frames =
		array_grow(interner->new_frames, &interner->new_capacity,
			   interner->new_count + count - common, sizeof(*interner->new_frames));
	for (size_t i = common; i < count; i++) {
		const struct stack_frame *frame = &frames[count - 1 - i];

		recent->known[i].frame = *frame;
		interner->new_frames[interner->new_count++] =
			(struct new_frame){ .frame = *frame, .is_leaf = i + 1 == count };
		__builtin_prefetch(memo_of(interner, frame, recent->state_number));
	}
	recent->count = count;
}

uint32_t stack_interner_begin(struct stack_interner *interner, const struct stack_frame *frames, size_t count,
			      const struct process_state *state, uint32_t pid, uint64_t time_ns)
{
	struct recent_stack *recent = recent_of(interner, state);
	const size_t common = common_frames(recent, frames, count);

	if (interner->finished)
		interner->begun_count = interner->new_count = 0;
	interner->finished = false;
	interner->begun = array_grow(interner->begun, &interner->begun_capacity, interner->begun_count + 1,
				     sizeof(*interner->begun));
	interner->begun[interner->begun_count] = (struct begun_stack){ .recent = recent,
								       .common = common,
								       .first = interner->new_count,
								       .new_count = count - common,
								       .state_number = recent->state_number,
								       .pid = pid,
								       .time_ns = time_ns };
	add_new_frames(interner, recent, frames, common, count);
	return (uint32_t)interner->begun_count++;
}

/* --- locations ----------------------------------------------------------------------- */

/* The address at which user code was left is looked up separately, and not remembered. */
static bool is_below_kernel(const struct new_frame *new)
{
	return !new->is_leaf &&new->frame.origin == FRAME_SAMPLED;
}

static void place_frame(struct stack_interner *interner, const struct begun_stack *begun,
			struct new_frame *new)
{
	struct mapping mapping;

	new->dso = PROFILE_NONE;
	new->address = new->frame.address;
	if (find_mapping(interner, &new->frame, new->is_leaf, begun->state_number, begun->pid, begun->time_ns,
			 &mapping)) {
		new->dso = mapping.dso->number;
		new->address = mapping_to_dso_address(&mapping, new->frame.address);
	}
	new->hash = profile_location_hash(new->dso, new->address, (enum frame_mode) new->frame.mode);
	raw_profile_prefetch_location(interner->profile, new->hash);
}

/* Sets locations that are remembered, and computes what the others are looked up by. */
static void recall_locations(struct stack_interner *interner, const struct begun_stack *begun)
{
	for (size_t i = 0; i < begun->new_count; i++) {
		struct new_frame *new = &interner->new_frames[begun->first + i];
		const struct location_memo *memo = memo_of(interner, &new->frame, begun->state_number);

		new->is_remembered = !is_below_kernel(new) && memo->address == new->frame.address &&
				     memo->state == memo_state(&new->frame, begun->state_number);
		if (new->is_remembered)
			new->location = memo->location;
		else
			place_frame(interner, begun, new);
	}
}

static void find_locations(struct stack_interner *interner, const struct begun_stack *begun)
{
	for (size_t i = 0; i < begun->new_count; i++) {
		struct new_frame *new = &interner->new_frames[begun->first + i];

		if (new->is_remembered)
			continue;
		new->location = raw_profile_location(interner->profile, new->dso, new->address,
						     (enum frame_mode) new->frame.mode);
		if (!is_below_kernel(new))
			*memo_of(interner, &new->frame, begun->state_number) =
				(struct location_memo){ .address = new->frame.address,
							.state = memo_state(&new->frame, begun->state_number),
							.location = new->location };
	}
}

/* --- nodes --------------------------------------------------------------------------- */

static void find_paths(struct stack_interner *interner, const struct begun_stack *begun)
{
	struct known_frame *known = begun->recent->known;
	uint32_t path = begun->common ? known[begun->common - 1].path : STACK_PATH_ROOT;

	for (size_t i = 0; i < begun->new_count; i++) {
		struct new_frame *new = &interner->new_frames[begun->first + i];

		path = profile_stack_path(path, new->location, (enum frame_origin) new->frame.origin);
		known[begun->common + i].path = new->path = path;
		raw_profile_prefetch_stack(interner->profile, path);
	}
}

static void find_nodes(struct stack_interner *interner, struct begun_stack *begun)
{
	struct known_frame *known = begun->recent->known;

	begun->node = begun->common ? known[begun->common - 1].node : PROFILE_NONE;
	for (size_t i = 0; i < begun->new_count; i++) {
		const struct new_frame *new = &interner->new_frames[begun->first + i];

		begun->node = raw_profile_stack(interner->profile, begun->node, new->location,
						(enum frame_origin) new->frame.origin);
		known[begun->common + i].node = begun->node;
	}
}

void stack_interner_finish(struct stack_interner *interner)
{
	if (interner->finished)
		return;
	for (size_t i = 0; i < interner->begun_count; i++)
		recall_locations(interner, &interner->begun[i]);
	for (size_t i = 0; i < interner->new_count; i++)
		if (!interner->new_frames[i].is_remembered)
			raw_profile_prefetch_location_item(interner->profile, interner->new_frames[i].hash);
	for (size_t i = 0; i < interner->begun_count; i++)
		find_locations(interner, &interner->begun[i]);
	for (size_t i = 0; i < interner->begun_count; i++)
		find_paths(interner, &interner->begun[i]);
	for (size_t i = 0; i < interner->new_count; i++)
		raw_profile_prefetch_stack_item(interner->profile, interner->new_frames[i].path);
	for (size_t i = 0; i < interner->begun_count; i++)
		find_nodes(interner, &interner->begun[i]);
	interner->finished = true;
}

uint32_t stack_interner_node(const struct stack_interner *interner, uint32_t number)
{
	return interner->begun[number].node;
}
