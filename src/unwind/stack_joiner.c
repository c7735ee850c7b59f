#include "unwind/stack_joiner.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	MATCH_FRAMES = 3, /* that have to agree: one call site is often at the same depth by chance */
	/*
	 * So many complete stacks in a row must have had the callers that are taken over. Of 44,000 joins of stock
	 * programs (test/sweep) one in 480 was wrong without this, one in 3,900 with 1, 20,000 with 2, none with 4.
	 */
	STEADY_STACKS = 4,
	MAX_NODES = 1 << 16, /* with both tables 5 MB; then everything is forgotten, and learnt again */
	RECENT_THREADS = 64, /* a power of two: those that run at about the same time */
	MAX_RECENT = 512,    /* frames of a stack that are remembered as the last one */
};

#define NO_NODE UINT32_MAX

/* A frame of complete stacks, above it what called it: a prefix tree for each thread. */
struct node {
	uint64_t thread;
	uint64_t pc;
	uint64_t sp;
	uint32_t caller; /* node; NO_NODE: this is the root */
	uint8_t how;
	bool is_return_address;
	/* Of the innermost of three frames, in the table of threes: they were seen below different callers. */
	bool is_ambiguous;
};

/* The stack that a thread had last. The next one mostly begins the same. */
struct recent {
	uint64_t thread;
	uint32_t learnt; /* stacks of the thread */
	uint32_t count;
	uint32_t nodes[MAX_RECENT]; /* root first */
	uint32_t since[MAX_RECENT]; /* the first of the stacks that had the frame there without a break */
};

struct stack_joiner {
	struct node *nodes;
	uint32_t count;
	struct hash_table by_caller; /* nodes by (caller, pc, sp), roots by (thread, pc, sp) */
	struct hash_table
		by_three; /* nodes by themselves and the two above them: the first that was met of each */
	struct recent recent[RECENT_THREADS];
};

struct stack_joiner *stack_joiner_create(void)
{
	struct stack_joiner *joiner = xcalloc(1, sizeof(*joiner));

	joiner->nodes = xmalloc(MAX_NODES * sizeof(*joiner->nodes));
	hash_table_init(&joiner->by_caller);
	hash_table_init(&joiner->by_three);
	return joiner;
}

void stack_joiner_destroy(struct stack_joiner *joiner)
{
	if (!joiner)
		return;
	hash_table_fini(&joiner->by_caller);
	hash_table_fini(&joiner->by_three);
	free(joiner->nodes);
	free(joiner);
}

size_t stack_joiner_bytes(const struct stack_joiner *joiner)
{
	return sizeof(*joiner) + MAX_NODES * sizeof(*joiner->nodes) +
	       ((size_t)joiner->by_caller.capacity + joiner->by_three.capacity) * sizeof(struct hash_slot);
}

static void forget(struct stack_joiner *joiner)
{
	joiner->count = 0;
	hash_table_clear(&joiner->by_caller);
	hash_table_clear(&joiner->by_three);
	for (size_t i = 0; i < RECENT_THREADS; i++)
		joiner->recent[i].count = 0;
}

static bool same_place(const struct node *a, const struct node *b)
{
	return a->pc == b->pc && a->sp == b->sp && a->is_return_address == b->is_return_address;
}

/* --- nodes ------------------------------------------------------------------- */

static bool is_node(const void *nodes, uint32_t number, const void *key)
{
	const struct node *node = (const struct node *)nodes + number, *wanted = key;

	return node->caller == wanted->caller && node->thread == wanted->thread && same_place(node, wanted);
}

static struct node node_of(uint64_t thread, const struct unwind_frame *frame, uint32_t caller)
{
	return (struct node){ .thread = thread,
			      .pc = frame->address,
			      .sp = frame->sp,
			      .caller = caller,
			      .how = frame->how,
			      .is_return_address = frame->is_return_address };
}

static uint32_t add_node(struct stack_joiner *joiner, const struct node *node)
{
	uint64_t hash = hash_combine(hash_combine(node->thread ^ node->caller, node->pc), node->sp);
	uint32_t number = hash_table_find(&joiner->by_caller, hash, is_node, joiner->nodes, node);

	if (number != HASH_TABLE_NONE)
		return number;
	joiner->nodes[joiner->count] = *node;
	hash_table_insert(&joiner->by_caller, hash, joiner->count);
	return joiner->count++;
}

/* --- three in a row ---------------------------------------------------------- */

struct three {
	struct node frames[MATCH_FRAMES]; /* innermost first; their callers do not matter */
};

static uint64_t hash_of_three(const struct three *three)
{
	uint64_t hash = three->frames[0].thread;

	for (size_t i = 0; i < MATCH_FRAMES; i++)
		hash = hash_combine(hash_combine(hash, three->frames[i].pc), three->frames[i].sp);
	return hash;
}

static bool is_three(const void *nodes, uint32_t number, const void *key)
{
	const struct three *wanted = key;

	for (size_t i = 0; i < MATCH_FRAMES; i++) {
		const struct node *node;

		if (number == NO_NODE)
			return false;
		node = (const struct node *)nodes + number;
		if (node->thread != wanted->frames[i].thread || !same_place(node, &wanted->frames[i]))
			return false;
		number = node->caller;
	}
	return true;
}

/* The node of the outermost of the three that begin at a node. */
static uint32_t outermost_of_three(const struct stack_joiner *joiner, uint32_t number)
{
	for (size_t i = 1; i < MATCH_FRAMES; i++)
		number = joiner->nodes[number].caller;
	return number;
}

static void learn_three(struct stack_joiner *joiner, uint32_t number)
{
	struct three three;
	uint32_t node = number, known;
	uint64_t hash;

	for (size_t i = 0; i < MATCH_FRAMES; i++, node = three.frames[i - 1].caller) {
		if (node == NO_NODE)
			return;
		three.frames[i] = joiner->nodes[node];
	}
	hash = hash_of_three(&three);
	known = hash_table_find(&joiner->by_three, hash, is_three, joiner->nodes, &three);
	if (known == HASH_TABLE_NONE)
		hash_table_insert(&joiner->by_three, hash, number);
	else if (outermost_of_three(joiner, known) != outermost_of_three(joiner, number))
		joiner->nodes[known].is_ambiguous = true;
}

/* --- learning ---------------------------------------------------------------- */

/* How many frames, from the root, are those of the stack that the thread had last. */
static size_t common_with_recent(const struct stack_joiner *joiner, const struct recent *recent,
				 uint64_t thread, const struct unwind_stack *stack)
{
	size_t most = stack->count < recent->count ? stack->count : recent->count, common;

	if (recent->thread != thread)
		return 0;
	for (common = 0; common < most; common++) {
		const struct node wanted =
			node_of(thread, &stack->frames[stack->count - 1 - common], NO_NODE);

		if (!same_place(&joiner->nodes[recent->nodes[common]], &wanted))
			break;
	}
	return common;
}

static bool is_worth_it(const struct unwind_stack *stack)
{
	if (stack->end != UNWIND_END_ROOT || stack->count > MAX_NODES / 2)
		return false;
	for (size_t i = 0; i < stack->count; i++)
		if (stack->frames[i].how == UNWIND_HOW_GUESSED || stack->frames[i].joined ||
		    stack->frames[i].sp == 0)
			return false;
	return true;
}

void stack_joiner_learn(struct stack_joiner *joiner, uint64_t thread, const struct unwind_stack *stack)
{
	struct recent *recent = &joiner->recent[hash_u64(thread) & (RECENT_THREADS - 1)];
	uint32_t caller = NO_NODE;
	size_t from;

	if (!is_worth_it(stack))
		return;
	if (joiner->count + stack->count > MAX_NODES)
		forget(joiner);
	from = common_with_recent(joiner, recent, thread, stack);
	recent->learnt = recent->thread == thread ? recent->learnt + 1 : 1;
	if (from > 0)
		caller = recent->nodes[from - 1];
	for (size_t i = from; i < stack->count; i++) {
		struct node node = node_of(thread, &stack->frames[stack->count - 1 - i], caller);

		caller = add_node(joiner, &node);
		if (i < MAX_RECENT) {
			recent->nodes[i] = caller;
			recent->since[i] = recent->learnt;
		}
		learn_three(joiner, caller);
	}
	recent->thread = thread;
	recent->count = stack->count < MAX_RECENT ? (uint32_t)stack->count : MAX_RECENT;
}

/* --- joining ----------------------------------------------------------------- */

/* What the outermost three frames of the stack were seen below: their outermost one's node; NO_NODE: nothing certain. */
static uint32_t find_continuation(const struct stack_joiner *joiner, uint64_t thread,
				  const struct unwind_stack *stack)
{
	struct three three;
	uint32_t found;

	if (stack->count < MATCH_FRAMES)
		return NO_NODE;
	for (size_t i = 0; i < MATCH_FRAMES; i++)
		three.frames[i] = node_of(thread, &stack->frames[stack->count - MATCH_FRAMES + i], NO_NODE);
	found = hash_table_find(&joiner->by_three, hash_of_three(&three), is_three, joiner->nodes, &three);
	if (found == HASH_TABLE_NONE || joiner->nodes[found].is_ambiguous)
		return NO_NODE;
	return outermost_of_three(joiner, found);
}

/* Was this frame, with all above it, in the thread's last complete stacks, one after the other? */
static bool is_steady(const struct stack_joiner *joiner, uint64_t thread, uint32_t number)
{
	const struct recent *recent = &joiner->recent[hash_u64(thread) & (RECENT_THREADS - 1)];

	if (recent->thread != thread)
		return false;
	for (uint32_t i = recent->count; i-- > 0;)
		if (recent->nodes[i] == number)
			return recent->learnt - recent->since[i] + 1 >= STEADY_STACKS;
	return false;
}

static size_t depth_above(const struct stack_joiner *joiner, uint32_t number)
{
	size_t depth = 0;

	while ((number = joiner->nodes[number].caller) != NO_NODE)
		depth++;
	return depth;
}

/* The return address that is missing lies between the frame and its caller, and the caller has been there for a while. */
static bool fits(const struct stack_joiner *joiner, uint64_t thread, uint32_t number,
		 const struct unwind_stack *stack)
{
	uint32_t caller = joiner->nodes[number].caller;

	return caller != NO_NODE && is_steady(joiner, thread, caller) &&
	       stack->return_slot >= joiner->nodes[number].sp &&
	       stack->return_slot < joiner->nodes[caller].sp;
}

size_t stack_joiner_join(const struct stack_joiner *joiner, uint64_t thread, struct unwind_stack *stack)
{
	size_t before = stack->count;
	uint32_t number;

	if (stack->end != UNWIND_END_STACK_EXHAUSTED || !stack->return_slot)
		return 0;
	number = find_continuation(joiner, thread, stack);
	if (number == NO_NODE || !fits(joiner, thread, number, stack) ||
	    depth_above(joiner, number) > stack->capacity - stack->count)
		return 0;
	while ((number = joiner->nodes[number].caller) != NO_NODE) {
		const struct node *node = &joiner->nodes[number];

		stack->frames[stack->count++] =
			(struct unwind_frame){ .address = node->pc,
					       .how = node->how,
					       .is_return_address = node->is_return_address,
					       .joined = true,
					       .sp = node->sp };
		stack->at = node->pc;
	}
	stack->end = UNWIND_END_ROOT;
	stack->return_slot = 0;
	return stack->count - before;
}
