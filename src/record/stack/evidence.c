/*
 * Start at evidence_append(): it takes the sample apart, replaces the dump by a copy of the stack if there is one, and calls
 * reduce(), which walks the stack and decides which parts prove it. A shorter dump is proved by walking it again: both stacks
 * must be the same. While hurried, or if mappings are not known, nothing is reduced.
 */
#include "record/stack/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "format/callchain.h"
#include "format/elided_frames.h"
#include "record/event/call_graph.h"
#include "record/stack/live_unwinder.h"
#include "record/stack/sample_parts.h"
#include "record/stack/sampler_table.h"
#include "record/stack/stack_continuer.h"

enum {
	MAX_FRAMES = STACK_COPY_MAX / 16, /* of an unwound stack; a call takes at least 16 bytes */
	/* _start, __libc_start_main and the function that calls main: at most these are missing at the end of a chain. */
	MAX_STARTUP_FRAMES = 3,
	/*
	 * More than a record holds. By default perf shows the innermost 127 frames of a chain (PERF_MAX_STACK_DEPTH), but it
	 * reads all.
	 */
	MAX_CHAIN = (UINT16_MAX + 1) / 8,
	LEAST_FRAMES = 16, /* room that a record must have; all but hostile ones have room for thousands */
	DUMP_ALIGNMENT = 8,
	SHALLOW_PART = 2, /* a stack is shallow if it uses at most this part of its dump */
	MAX_CUT_THREADS = 64 * 1024,
	CUT_DUMP_BYTES = 1024, /* some ten frames */
};

/* A stack with storage for its frames. */
struct followed_stack {
	struct unwind_stack stack;
	struct unwind_frame frames[MAX_FRAMES];
};

struct evidence {
	struct sampler_table samplers;
	enum evidence_level level;
	struct live_unwinder *unwinder;    /* NULL if samples keep everything */
	bool hurried;                      /* samples are not unwound now, for lack of time */
	bool late;                         /* no mappings are known yet */
	bool cutting;                      /* dumps are cut, for lack of time */
	struct stack_copies *copies;       /* NULL if samples have the kernel's dumps */
	bool blind;                        /* the mappings of this round's samples are not known */
	struct stack_continuer *continuer; /* NULL if stacks end with their dumps */
	struct record_notes note_records;
	struct followed_stack whole, again; /* from the full dump; from the part that will be written */
	struct hash_table cut_threads;      /* indexes into `cut_tids` */
	uint32_t *cut_tids;
	size_t cut_count, cut_capacity;
	size_t continued_from; /* first frame of the whole stack above the dump; 0 if none */
	uint64_t chain[MAX_CHAIN];
	struct evidence_counts counts;
};

/* The attr of the first sampler whose dumps can be decoded; all samplers dump the same registers. NULL if there is none. */
static const struct perf_event_attr *first_with_dumps(const struct written_event *samplers,
						      size_t sampler_count)
{
	for (size_t i = 0; i < sampler_count; i++)
		if (sample_parts_applies(samplers[i].attr))
			return samplers[i].attr;
	return NULL;
}

struct evidence *evidence_create(const struct written_event *samplers, size_t sampler_count,
				 enum evidence_level level)
{
	const struct perf_event_attr *attr = first_with_dumps(samplers, sampler_count);
	struct evidence *evidence;

	if (!attr)
		return NULL;
	evidence = xcalloc(1, sizeof(*evidence));
	sampler_table_init(&evidence->samplers, samplers, sampler_count);
	evidence->level = level;
	if (level != EVIDENCE_ALL)
		evidence->unwinder = live_unwinder_create(attr->sample_regs_user, samplers[0].attr);
	evidence->whole.stack =
		(struct unwind_stack){ .frames = evidence->whole.frames, .capacity = MAX_FRAMES };
	evidence->again.stack =
		(struct unwind_stack){ .frames = evidence->again.frames, .capacity = MAX_FRAMES };
	return evidence;
}

void evidence_destroy(struct evidence *evidence)
{
	if (!evidence)
		return;
	stack_continuer_destroy(evidence->continuer);
	live_unwinder_destroy(evidence->unwinder);
	sampler_table_fini(&evidence->samplers);
	hash_table_fini(&evidence->cut_threads);
	free(evidence->cut_tids);
	free(evidence);
}

void evidence_note(struct evidence *evidence, const uint8_t *records, size_t size)
{
	if (evidence->unwinder)
		live_unwinder_apply_all(evidence->unwinder, records, size);
}

void evidence_begin_round(struct evidence *evidence, struct build_id_table *files)
{
	if (evidence->unwinder) {
		live_unwinder_age(evidence->unwinder);
		live_unwinder_forget_ended(evidence->unwinder);
	}
	evidence->blind = evidence->unwinder && (evidence->late || live_unwinder_is_full(evidence->unwinder));
	evidence->late = false;
	if (evidence->blind) /* the rings' present contents are older than the mappings read now */
		live_unwinder_refill(evidence->unwinder, files);
	if (evidence->continuer)
		stack_continuer_begin_round(evidence->continuer);
}

void evidence_begin_late(struct evidence *evidence)
{
	evidence->late = true;
}

void evidence_counts_add(struct evidence_counts *counts, const struct evidence_counts *added)
{
	enum { COUNTS = sizeof(*counts) / sizeof(uint64_t) };
	uint64_t sums[COUNTS], terms[COUNTS];

	memcpy(sums, counts, sizeof(sums));
	memcpy(terms, added, sizeof(terms));
	for (size_t i = 0; i < COUNTS; i++)
		sums[i] += terms[i];
	memcpy(counts, sums, sizeof(sums));
}

void evidence_continue_stacks(struct evidence *evidence)
{
	if (evidence->unwinder && !evidence->continuer)
		evidence->continuer = stack_continuer_create(evidence->unwinder);
}

enum evidence_urgency evidence_urgency(const struct evidence *evidence)
{
	if ((evidence->continuer && stack_continuer_is_going_on(evidence->continuer)) ||
	    (evidence->unwinder && live_unwinder_reads_new_code(evidence->unwinder)))
		return EVIDENCE_AT_ONCE;
	return evidence->continuer ||
			       (evidence->unwinder && live_unwinder_expects_new_code(evidence->unwinder)) ?
		       EVIDENCE_SOON :
		       EVIDENCE_LATER;
}

void evidence_note_by(struct evidence *evidence, void (*note)(void *context), void *context)
{
	evidence->note_records = (struct record_notes){ note, context };
}

void evidence_set_hurried(struct evidence *evidence, bool hurried)
{
	evidence->hurried = hurried;
}

void evidence_set_cutting(struct evidence *evidence, bool cutting)
{
	evidence->cutting = cutting;
}

void evidence_set_copies(struct evidence *evidence, struct stack_copies *copies)
{
	evidence->copies = copies;
}

void evidence_begin_samples(struct evidence *evidence, uint64_t now_ns)
{
	if (evidence->copies)
		stack_copies_begin_round(evidence->copies, now_ns);
}

void evidence_end_samples(struct evidence *evidence)
{
	if (evidence->copies)
		stack_copies_end_round(evidence->copies);
}

const struct evidence_counts *evidence_counts(const struct evidence *evidence)
{
	return &evidence->counts;
}

/* --- the chain of frame pointers -------------------------------------------------- */

/* The user part of a chain. */
struct user_chain {
	size_t before;         /* entries before it; the next entry is its marker, if there is a user part */
	const uint8_t *frames; /* u64 each, leaf first */
	size_t count;
};

/*
 * Returns false if the chain has unexpected markers. In code without frame pointers the kernel follows any value in the register,
 * so the user part may contain any word. A word such as ~0 looks like a marker: the user part ends there.
 */
static bool find_user_chain(const struct sample_parts *parts, struct user_chain *user)
{
	*user = (struct user_chain){ .before = parts->chain_count };
	for (size_t i = 0; i < parts->chain_count; i++) {
		uint64_t entry = sample_chain_entry(parts->chain, i);

		if (user->frames && callchain_is_marker(entry))
			return true;
		if (entry == (uint64_t)PERF_CONTEXT_USER) {
			user->before = i;
			user->frames = parts->chain + 8 * (i + 1);
		} else if (user->frames) {
			user->count++;
		} else if (callchain_is_marker(entry) && (entry != (uint64_t)PERF_CONTEXT_KERNEL || i)) {
			return false;
		}
	}
	return true;
}

/* Number of equal frames, counted from the leaf. */
static size_t common_frames(const struct user_chain *user, const struct unwind_stack *stack)
{
	size_t common = 0;

	while (common < user->count && common < stack->count &&
	       sample_chain_entry(user->frames, common) == stack->frames[common].address)
		common++;
	return common;
}

/* Whether exact rules found the frame: no guess, and no frame pointer without confirmation. */
static bool is_exact(struct evidence *evidence, const struct sample_parts *parts,
		     const struct unwind_stack *stack, size_t number)
{
	const uint8_t how = stack->frames[number].how;

	return how == UNWIND_HOW_CFI || how == UNWIND_HOW_FRAME_POINTER ||
	       (parts->copy && (how == UNWIND_HOW_CODE || how == UNWIND_HOW_ASSUMED)) ||
	       live_unwinder_is_by_read_code(evidence->unwinder, parts, stack, number);
}

/*
 * Whether a chain can represent the stack: all frames of a chain but the leaf are return addresses. Frames found by the
 * instructions of run-time code count, too, where a reader could not follow those.
 */
static bool is_chain_of_calls(struct evidence *evidence, const struct sample_parts *parts,
			      const struct unwind_stack *stack)
{
	for (size_t i = 1; i < stack->count; i++)
		if (!stack->frames[i].is_return_address || !is_exact(evidence, parts, stack, i))
			return false;
	return true;
}

/*
 * Like is_chain_of_calls(), but permits frames that signals interrupted. Readers take their address for a return address and look
 * it up one byte before: the right function, unless it was interrupted at its very first instruction.
 */
static bool is_chain_of_signals(struct evidence *evidence, const struct sample_parts *parts,
				const struct unwind_stack *stack)
{
	for (size_t i = 1; i < stack->count; i++) {
		if (stack->frames[i].how != UNWIND_HOW_SIGNAL && !is_exact(evidence, parts, stack, i))
			return false;
	}
	return true;
}

/* --- the reduced sample -------------------------------------------------------------- */

/* Appends frames [from, to) of the stack after the first `count` entries of the chain. Returns the new number of entries. */
static size_t add_range(struct evidence *evidence, size_t count, size_t from, size_t to)
{
	const struct unwind_frame *frames = evidence->whole.stack.frames;

	for (size_t i = from; i < to; i++) {
		if (i && i == evidence->continued_from)
			evidence->chain[count++] = (uint64_t)PERF_CONTEXT_USER;
		if (frames[i].how == UNWIND_HOW_ASSUMED)
			for (int mark = 0; mark < CALLCHAIN_ASSUMED_MARKS; mark++)
				evidence->chain[count++] = (uint64_t)PERF_CONTEXT_USER;
		evidence->chain[count++] = frames[i].address;
	}
	return count;
}

/*
 * Appends the frames of the stack after the first `count` entries of the chain. `room` is the number of frames that fit besides
 * their marks; of a deeper stack the innermost and the outermost frames are written. Returns the new number of entries.
 */
static size_t add_frames(struct evidence *evidence, size_t count, size_t room)
{
	const struct unwind_stack *stack = &evidence->whole.stack;
	const size_t continued = evidence->continued_from;
	const size_t outer = stack->count > room ? (room - 1) / 2 : 0;
	const size_t inner = stack->count > room ? room - 1 - outer : stack->count;

	count = add_range(evidence, count, 0, inner);
	if (inner == stack->count)
		return count;
	evidence->counts.shortened++;
	if (continued >= inner && continued < stack->count - outer)
		evidence->chain[count++] = (uint64_t)PERF_CONTEXT_USER;
	evidence->chain[count++] = elided_frames_entry(stack->count - inner - outer);
	return add_range(evidence, count, stack->count - outer, stack->count);
}

/* Number of chain entries that tell how frames were found. */
static size_t count_marks(const struct evidence *evidence)
{
	const struct unwind_stack *stack = &evidence->whole.stack;
	size_t marks = evidence->continued_from > 0;

	for (size_t i = 1; i < stack->count; i++)
		if (stack->frames[i].how == UNWIND_HOW_ASSUMED)
			marks += CALLCHAIN_ASSUMED_MARKS;
	return marks;
}

/* Writes the kernel's part of the chain, then the stack. Returns false if readers would misunderstand it. */
static bool write_chain(struct evidence *evidence, const struct sample_parts *parts,
			const struct user_chain *user, struct sample_rest *rest)
{
	const struct unwind_stack *stack = &evidence->whole.stack;
	const size_t room = sample_parts_chain_room(parts), marks = count_marks(evidence);
	size_t count = user->before;

	if (count + 1 + LEAST_FRAMES + marks > room ||
	    !live_unwinder_is_root(evidence->unwinder, parts, &stack->frames[stack->count - 1]))
		return false;
	memcpy(evidence->chain, parts->chain, 8 * count);
	evidence->chain[count++] = (uint64_t)PERF_CONTEXT_USER;
	count = add_frames(evidence, count, room - count - marks);
	*rest = (struct sample_rest){ .chain = evidence->chain,
				      .chain_count = count,
				      .drop_registers = true };
	return true;
}

/* Whether the chain equals the stack, except for frames of the C library's start-up code at its end. */
static bool is_chain_right(const struct user_chain *user, const struct unwind_stack *stack)
{
	size_t common = common_frames(user, stack);

	return common && common == user->count && stack->count - common <= MAX_STARTUP_FRAMES;
}

static bool is_same_stack(const struct unwind_stack *a, const struct unwind_stack *b)
{
	if (a->end != b->end || a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->frames[i].address != b->frames[i].address || a->frames[i].how != b->frames[i].how)
			return false;
	return true;
}

/* Cuts the dump after the frame that begins the thread. Returns false if walking the rest gives a different stack. */
static bool cut_dump(struct evidence *evidence, const struct sample_parts *parts, struct sample_rest *rest)
{
	const size_t below = parts->copy ? STACK_COPY_RED_ZONE : 0;
	const size_t walked = evidence->whole.stack.stack_bytes_used;
	const size_t used = walked > below ? walked - below : 0;
	/*
	 * One word more than used: perf does not read a dump's last word (tools/perf/util/unwind-libunwind-local.c,
	 * access_mem()), and would end each stack with 0xffffffffffffffff instead of _start. It would not unwind an empty dump.
	 */
	size_t cut = ((used + DUMP_ALIGNMENT - 1) & ~(size_t)(DUMP_ALIGNMENT - 1)) + DUMP_ALIGNMENT;

	if (cut >= rest->dump_size && !parts->copy)
		return true;
	if (cut > rest->dump_size) /* the stack exceeds a record, or the part before a hole */
		cut = rest->dump_size;
	live_unwinder_walk(evidence->unwinder, parts, cut, &evidence->again.stack);
	if (!is_same_stack(&evidence->whole.stack, &evidence->again.stack))
		return false;
	rest->dump_size = cut;
	return true;
}

/* Readers can derive the user part of the chain from the dump, starting with the frame pointer in the registers. */
static void drop_user_chain(const struct user_chain *user, struct sample_rest *rest)
{
	rest->chain_count = user->before;
}

/* Whether the chain continues where the dump ends. A reader then needs both, and the frame pointer that connects them. */
static bool chain_goes_on(struct evidence *evidence, const struct sample_parts *parts,
			  const struct user_chain *user)
{
	struct unwind_stack *stack = &evidence->whole.stack;
	size_t count = user->count < MAX_CHAIN ? user->count : MAX_CHAIN;

	/* Or where a reader may be unable to unwind further than this walk. */
	if (stack->end != UNWIND_END_STACK_EXHAUSTED || stack->by_frame_pointer)
		return user->count > stack->count && common_frames(user, stack) == stack->count;
	if (count)
		memcpy(evidence->chain, user->frames, 8 * count);
	return live_unwinder_splice(evidence->unwinder, parts, evidence->chain, count, stack);
}

/* --- threads whose stacks are deeper than their dumps ---------------------------------------- */

static bool is_tid(const void *items, uint32_t number, const void *key)
{
	return ((const uint32_t *)items)[number] == *(const uint32_t *)key;
}

static bool was_cut(const struct evidence *evidence, uint32_t tid)
{
	return hash_table_find(&evidence->cut_threads, hash_u64(tid), is_tid, evidence->cut_tids, &tid) !=
	       HASH_TABLE_NONE;
}

static void note_cut(struct evidence *evidence, uint32_t tid)
{
	if (evidence->cut_count == MAX_CUT_THREADS || was_cut(evidence, tid))
		return;
	hash_table_insert(&evidence->cut_threads, hash_u64(tid), (uint32_t)evidence->cut_count);
	*ARRAY_ADD(evidence->cut_tids, evidence->cut_count, evidence->cut_capacity) = tid;
}

/*
 * Whether a reader may need the dump to continue deeper stacks of the thread (unwind/stack_joiner.h). A dump tells where each
 * frame was, a chain does not.
 */
static bool may_continue_others(const struct evidence *evidence, const struct sample_parts *parts)
{
	return !parts->copy && (evidence->whole.stack.stack_bytes_used > parts->dump_size / SHALLOW_PART ||
				was_cut(evidence, parts->tid));
}

enum verdict { CHAIN_PROVED, DUMP_PROVED, NOTHING_PROVED };

static enum verdict reduce_rooted(struct evidence *evidence, const struct sample_parts *parts,
				  const struct user_chain *user, struct sample_rest *rest)
{
	const struct unwind_stack *stack = &evidence->whole.stack;

	/* A reader does not have the run-time code that was read here: only the chain shows what is above it. */
	if ((evidence->level == EVIDENCE_NONE || is_chain_right(user, stack) ||
	     live_unwinder_read_code(evidence->unwinder, parts, stack) ||
	     !may_continue_others(evidence, parts)) &&
	    is_chain_of_calls(evidence, parts, stack) && write_chain(evidence, parts, user, rest))
		return CHAIN_PROVED;
	drop_user_chain(user, rest);
	if (cut_dump(evidence, parts, rest))
		return DUMP_PROVED;
	/* A dump does not suffice: the stack leads over a hole, beyond a record's size, or into a stack that was interrupted. */
	return parts->copy && is_chain_of_signals(evidence, parts, stack) &&
			       write_chain(evidence, parts, user, rest) ?
		       CHAIN_PROVED :
		       NOTHING_PROVED;
}

/* For a stack that ended with its dump: continues it to the start of the thread with memory of the process, if possible. */
static bool continue_stack(struct evidence *evidence, const struct sample_parts *parts,
			   const struct user_chain *user, struct sample_rest *rest)
{
	struct unwind_stack *stack = &evidence->whole.stack;

	if (!evidence->continuer || stack->end != UNWIND_END_STACK_EXHAUSTED)
		return false;
	switch (stack_continuer_continue(evidence->continuer, parts, stack, &evidence->continued_from)) {
	case STACK_UNREADABLE: evidence->counts.unreadable++; return false;
	case STACK_UNCONFIRMED: break;
	case STACK_CONTINUED:
		if (!is_chain_of_signals(evidence, parts, stack) || !write_chain(evidence, parts, user, rest))
			break;
		evidence->counts.continued++;
		return true;
	}
	evidence->counts.unconfirmed++;
	return false;
}

/* Whether the kernel's chain, taken with the sample, has every frame that was found here by run-time code. */
static bool is_confirmed_by_chain(const struct evidence *evidence, const struct sample_parts *parts,
				  const struct user_chain *user)
{
	const struct unwind_stack *stack = &evidence->whole.stack;

	if (stack->end != UNWIND_END_ROOT || !is_chain_right(user, stack))
		return false;
	for (size_t i = common_frames(user, stack); i < stack->count; i++)
		if (live_unwinder_is_by_read_code(evidence->unwinder, parts, stack, i))
			return false;
	return true;
}

/* Whether the stack was unwound with the code of its time. Run-time code may have been replaced since. */
static bool is_of_its_time(struct evidence *evidence, const struct sample_parts *parts,
			   const struct user_chain *user)
{
	return is_confirmed_by_chain(evidence, parts, user) ||
	       live_unwinder_vouches(evidence->unwinder, parts, &evidence->whole.stack,
				     &evidence->again.stack, &evidence->note_records);
}

static enum verdict reduce(struct evidence *evidence, const struct sample_parts *parts,
			   struct sample_rest *rest)
{
	const struct unwind_stack *stack = &evidence->whole.stack;
	struct user_chain user;

	evidence->continued_from = 0;
	if (!find_user_chain(parts, &user))
		return NOTHING_PROVED;
	live_unwinder_walk(evidence->unwinder, parts, LIVE_UNWINDER_ALL_BYTES, &evidence->whole.stack);
	if (stack->count == 0)
		return NOTHING_PROVED;
	if (!is_of_its_time(evidence, parts, &user)) {
		evidence->counts.replaced++;
		drop_user_chain(&user, rest);
		return NOTHING_PROVED;
	}
	if (stack->end == UNWIND_END_ROOT)
		return reduce_rooted(evidence, parts, &user, rest);
	if (stack->end == UNWIND_END_STACK_EXHAUSTED && !parts->copy)
		note_cut(evidence, parts->tid);
	if (chain_goes_on(evidence, parts, &user))
		return NOTHING_PROVED;
	if (continue_stack(evidence, parts, &user, rest))
		return CHAIN_PROVED;
	drop_user_chain(&user, rest);
	return NOTHING_PROVED;
}

/* --- copies of the stack in place of dumps ---------------------------------------------- */

static struct stack_memory memory_of(const struct stack_copy_part *part, const uint8_t *bytes)
{
	bool holes = false;

	for (size_t i = 0; i < STACK_COPY_HOLE_WORDS; i++)
		holes |= part->holes[i] != 0;
	return (struct stack_memory){ .bytes = bytes,
				      .size = part->size,
				      .address = part->address,
				      .holes = holes ? (const uint64_t *)part->holes : NULL };
}

/* Bytes from the stack pointer to the first hole, which the kernel would have dumped. */
static size_t bytes_before_hole(const struct stack_memory *copy)
{
	const uint64_t sp = copy->address + STACK_COPY_RED_ZONE, end = copy->address + copy->size;
	uint64_t at = sp;

	if (!copy->holes)
		return copy->size - STACK_COPY_RED_ZONE;
	while (at < end && !stack_memory_is_hole(copy, at))
		at = (at / STACK_MEMORY_PAGE_BYTES + 1) * STACK_MEMORY_PAGE_BYTES;
	return (size_t)((at < end ? at : end) - sp);
}

struct copied_stack {
	struct stack_copy copy; /* contains the bits of the holes */
	struct stack_memory own, outer;
};

/* Uses the copy in place of the few bytes that the kernel dumped, if any. */
static bool take_copy(struct sample_parts *parts, struct copied_stack *copied)
{
	size_t filled;

	if (copied->copy.stack.size <= STACK_COPY_RED_ZONE)
		return false;
	copied->own = memory_of(&copied->copy.stack, copied->copy.stack_bytes);
	copied->outer = memory_of(&copied->copy.outer, copied->copy.outer_bytes);
	if (copied->outer.size)
		copied->own.outer = &copied->outer;
	filled = bytes_before_hole(&copied->own) & ~(size_t)(DUMP_ALIGNMENT - 1);
	parts->copy = &copied->own;
	parts->dump = copied->own.bytes + STACK_COPY_RED_ZONE;
	parts->filled = filled < STACK_DUMP_MAX_BYTES ? filled : STACK_DUMP_MAX_BYTES;
	parts->dump_size =
		parts->filled < STACK_DUMP_MAX_BYTES ? parts->filled + DUMP_ALIGNMENT : parts->filled;
	return true;
}

static bool use_copy(struct evidence *evidence, struct sample_parts *parts, struct copied_stack *copied)
{
	const struct stack_copy_key key = { .tid = parts->tid,
					    .time = parts->time_ns,
					    .sp = evidence->unwinder ?
							  live_unwinder_sp(evidence->unwinder, parts) :
							  0 };

	return stack_copies_find(evidence->copies, &key, &copied->copy) && take_copy(parts, copied);
}

static void count(struct evidence_counts *counts, enum verdict verdict, size_t dump_size)
{
	switch (verdict) {
	case CHAIN_PROVED: counts->chains++; break;
	case DUMP_PROVED: counts->dumps++; break;
	case NOTHING_PROVED: counts->unproved++; break;
	}
	counts->dump_bytes += dump_size;
}

/* Appends the reduced sample. */
static void append_parts(struct evidence *evidence, struct strbuf *out, const struct sample_parts *parts)
{
	struct sample_rest rest = sample_parts_all(parts);
	enum verdict verdict = NOTHING_PROVED;

	if (evidence->cutting && parts->filled) {
		evidence->counts.cut++;
		if (rest.dump_size > CUT_DUMP_BYTES)
			rest.dump_size = CUT_DUMP_BYTES;
	} else if (evidence->unwinder && parts->filled && !live_unwinder_can(evidence->unwinder, parts))
		evidence->counts.foreign++;
	else if (evidence->unwinder && !evidence->blind && !evidence->hurried && parts->filled)
		verdict = reduce(evidence, parts, &rest);
	sample_parts_append(out, parts, &rest);
	if (parts->filled)
		count(&evidence->counts, verdict, rest.dump_size);
}

static bool find_parts(const struct evidence *evidence, struct sample_parts *parts, const uint8_t *record,
		       size_t size)
{
	const struct perf_event_attr *attr = sampler_table_find(&evidence->samplers, record, size);

	return attr && sample_parts_applies(attr) && sample_parts_find(parts, record, size, attr);
}

void evidence_append(struct evidence *evidence, struct strbuf *out, const uint8_t *record, size_t size)
{
	struct copied_stack copied;
	struct sample_parts parts;

	if (!find_parts(evidence, &parts, record, size)) {
		strbuf_add(out, record, size);
		return;
	}
	if (evidence->copies && !evidence->cutting && parts.abi != PERF_SAMPLE_REGS_ABI_NONE &&
	    !use_copy(evidence, &parts, &copied))
		evidence->counts.uncopied++;
	append_parts(evidence, out, &parts);
}

void evidence_append_copied(struct evidence *evidence, struct strbuf *out, const uint8_t *record, size_t size,
			    const struct stack_copy *copy)
{
	struct copied_stack copied = { .copy = *copy };
	struct sample_parts parts;

	if (!find_parts(evidence, &parts, record, size)) {
		strbuf_add(out, record, size);
		return;
	}
	if (!take_copy(&parts, &copied))
		evidence->counts.uncopied++;
	append_parts(evidence, out, &parts);
}

size_t evidence_walk(struct evidence *evidence, const uint8_t *record, size_t size,
		     const struct stack_copy *copy, uint64_t *addresses, size_t capacity, bool *is_whole)
{
	struct copied_stack copied = { .copy = *copy };
	const struct unwind_stack *stack = &evidence->whole.stack;
	struct sample_parts parts;
	size_t count = 0;

	*is_whole = false;
	if (!evidence->unwinder || evidence->blind || !find_parts(evidence, &parts, record, size) ||
	    !take_copy(&parts, &copied) || !live_unwinder_can(evidence->unwinder, &parts))
		return 0;
	live_unwinder_walk(evidence->unwinder, &parts, LIVE_UNWINDER_ALL_BYTES, &evidence->whole.stack);
	for (; count < stack->count && count < capacity; count++)
		addresses[count] = stack->frames[count].address;
	*is_whole = stack->end == UNWIND_END_ROOT && count == stack->count;
	return count;
}
