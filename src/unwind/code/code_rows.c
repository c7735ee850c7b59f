/*
 * Data flow analysis: read_lines() decodes the function, find_leaders() finds where control can arrive, and find_states() follows
 * states from leader to leader until nothing changes. If a call leads to a contradiction, it is assumed not to return, and the
 * analysis starts again. Unreached code may get the state at an indirect jump, as a jump table's target. write_rows() turns
 * states into rules.
 */
#include "unwind/code/code_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "unwind/code/code_state.h"

enum {
	MAX_LEADERS = 1 << 14,
	/* Two are enough for most; each call found not to return starts again. */
	MAX_VISITS_PER_INSTRUCTION = 16,
	MINIMUM_VISITS = 4096,
};

#define NONE UINT32_MAX

/* One instruction of the function. */
struct line {
	uint32_t offset; /* of its first byte, from the function's start */
	uint32_t target; /* line number of the jump's target; NONE: no line of this function */
	uint32_t first_effect;
	uint32_t leader; /* its leader number; NONE: control arrives only from the line before */
	uint8_t effect_count;
	uint8_t flow;       /* enum code_flow */
	bool never_returns; /* a call found not to return */
	bool is_target;     /* an instruction jumps here */
	bool is_padding;
};

/* How certain it is that a path exists. */
struct doubt {
	/*
	 * The path's last call; NONE: it has no call. Compilers put nothing behind a call that never returns, so the code there
	 * is another block, and not reached on this path.
	 */
	uint32_t call;
	bool by_table; /* begins at a likely target of a jump table; loses against any path that does not */
};

/* A line that paths lead to, or begin at. */
struct leader {
	uint32_t line;
	struct doubt doubt; /* of the most certain path */
	bool is_reached, is_queued;
	struct code_state state;
};

struct analysis {
	const struct unwind_arch *arch;
	struct line *lines;
	size_t line_count, line_capacity;
	uint32_t first_branch; /* line number; NONE: no branch */
	size_t size_bytes;     /* of all lines together */
	struct code_effect *effects;
	size_t effect_count, effect_capacity;
	struct leader *leaders;
	uint32_t leader_count;
	uint32_t *queue; /* leader numbers, with room for all */
	uint32_t queue_count;
	uint64_t visits_left;
	bool ends_there;      /* the function ends behind its last line, no other follows */
	bool begin_again;     /* a call was found not to return: discard all results */
	bool is_table;        /* the jump does not look like the call of another function */
	bool jumps_somewhere; /* has an indirect jump; `elsewhere` is the state there */
	struct code_state elsewhere;
};

/* --- reading ------------------------------------------------------------------------- */

static void add_line(struct analysis *a, const struct code_instruction *instruction)
{
	a->effects = array_grow(a->effects, &a->effect_capacity, a->effect_count + CODE_MAX_EFFECTS,
				sizeof(*a->effects));
	*ARRAY_ADD(a->lines, a->line_count, a->line_capacity) = (struct line){
		.offset = (uint32_t)a->size_bytes,
		.first_effect = (uint32_t)a->effect_count,
		.effect_count = instruction->effect_count,
		.flow = instruction->flow,
		.is_padding = instruction->is_padding,
		.target = NONE,
		.leader = NONE,
	};
	memcpy(a->effects + a->effect_count, instruction->effects,
	       instruction->effect_count * sizeof(*instruction->effects));
	a->effect_count += instruction->effect_count;
	a->size_bytes += instruction->size_bytes;
}

/* The line that the offset lies in, also if it is behind a prefix: glibc's assembly jumps there. */
static uint32_t line_at(const struct analysis *a, uint64_t offset)
{
	size_t low = 0, high = a->line_count;

	if (offset >= a->size_bytes)
		return NONE;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (a->lines[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

/* Reads lines up to the first bytes that are no instruction. */
static void read_lines(struct analysis *a, const uint8_t *code, size_t size)
{
	struct code_instruction instruction;
	uint64_t *targets = NULL;
	size_t capacity = 0;

	while (a->size_bytes < size &&
	       a->arch->read_instruction(code + a->size_bytes, size - a->size_bytes, &instruction)) {
		targets = array_grow(targets, &capacity, a->line_count + 1, sizeof(*targets));
		targets[a->line_count] = UINT64_MAX;
		if (instruction.has_target && instruction.flow != CODE_CALL)
			targets[a->line_count] = a->size_bytes + (uint64_t)instruction.target;
		add_line(a, &instruction);
	}
	a->first_branch = NONE;
	for (size_t i = a->line_count; i-- > 0;) {
		if (a->lines[i].flow == CODE_BRANCH)
			a->first_branch = (uint32_t)i;
		a->lines[i].target = line_at(a, targets[i]);
		if (a->lines[i].target != NONE)
			a->lines[a->lines[i].target].is_target = true;
	}
	free(targets);
}

static bool leads(const struct analysis *a, size_t line)
{
	if (line == 0 || a->lines[line].is_target)
		return true;
	return a->lines[line - 1].flow != CODE_NEXT && a->lines[line - 1].flow != CODE_BRANCH;
}

/* Returns false if there are too many. */
static bool find_leaders(struct analysis *a)
{
	for (size_t i = 0; i < a->line_count; i++)
		if (leads(a, i))
			a->lines[i].leader = a->leader_count++;
	if (a->leader_count > MAX_LEADERS)
		return false;
	a->leaders = xcalloc(a->leader_count, sizeof(*a->leaders));
	a->queue = xcalloc(a->leader_count, sizeof(*a->queue));
	for (size_t i = 0; i < a->line_count; i++)
		if (a->lines[i].leader != NONE)
			a->leaders[a->lines[i].leader].line = (uint32_t)i;
	return true;
}

/* --- following ----------------------------------------------------------------------- */

static void queue(struct analysis *a, struct leader *leader)
{
	if (!leader->is_queued)
		a->queue[a->queue_count++] = (uint32_t)(leader - a->leaders);
	leader->is_queued = true;
}

static void reach(struct analysis *a, struct leader *leader, const struct code_state *state,
		  struct doubt doubt)
{
	leader->is_reached = true;
	leader->doubt = doubt;
	leader->state = *state;
	queue(a, leader);
}

/*
 * If two paths arrive with different depths, one does not exist, because a call on it never returns. Of two such calls take the
 * nearer one: another block begins behind it.
 */
static bool find_call_without_return(const struct leader *leader, struct doubt doubt, uint32_t *call)
{
	const uint32_t a = leader->doubt.call, b = doubt.call;

	if (a == b)
		return false;
	if (a == NONE || b == NONE)
		*call = a == NONE ? b : a;
	else if ((a < leader->line) != (b < leader->line))
		*call = a < leader->line ? a : b;
	else
		*call = a > b ? a : b;
	return true;
}

static void arrive(struct analysis *a, uint32_t line, const struct code_state *state, struct doubt doubt)
{
	struct leader *leader;
	uint32_t call;
	bool less, surer;

	if (line >= a->line_count)
		return;
	leader = &a->leaders[a->lines[line].leader];
	if (!leader->is_reached || (leader->doubt.by_table && !doubt.by_table)) {
		reach(a, leader, state, doubt);
		return;
	}
	if (doubt.by_table && !leader->doubt.by_table)
		return;
	if (code_state_differs_in_depth(&leader->state, state, a->arch) &&
	    find_call_without_return(leader, doubt, &call)) {
		a->lines[call].never_returns = true;
		a->begin_again = true;
		return;
	}
	less = code_state_meet(&leader->state, state);
	surer = doubt.call == NONE && leader->doubt.call != NONE;
	if (surer)
		leader->doubt.call = NONE;
	if (less || surer)
		queue(a, leader);
}

static void apply(const struct analysis *a, const struct line *line, struct code_state *state)
{
	for (uint32_t i = 0; i < line->effect_count; i++)
		code_state_apply(state, a->arch, &a->effects[line->first_effect + i]);
}

static bool is_deeper_than_entry(const struct analysis *a, const struct code_state *state)
{
	struct code_state entry;

	code_state_enter(&entry, a->arch);
	return code_state_differs_in_depth(&entry, state, a->arch);
}

/* An indirect jump leads by a table within the function, or to another function, with the stack as it was at the entry. */
static void jump_somewhere(struct analysis *a, uint32_t line, const struct code_state *state)
{
	/* Code compares the index with the table's size before using the table, so a branch comes first. */
	a->is_table |= is_deeper_than_entry(a, state) || a->first_branch < line;
	if (!a->jumps_somewhere || !is_deeper_than_entry(a, &a->elsewhere))
		a->elsewhere = *state;
	else if (is_deeper_than_entry(a, state))
		(void)code_state_meet(&a->elsewhere, state);
	a->jumps_somewhere = true;
}

/* Follows the code from a leader to the next leaders. */
static void follow(struct analysis *a, const struct leader *from)
{
	struct code_state state = from->state;
	struct doubt doubt = from->doubt;

	for (uint32_t i = from->line; i < a->line_count && a->visits_left > 0; i++) {
		const struct line *line = &a->lines[i];

		if (i != from->line && line->leader != NONE) {
			arrive(a, i, &state, doubt);
			return;
		}
		a->visits_left--;
		apply(a, line, &state);
		switch (line->flow) {
		case CODE_NEXT: break;
		case CODE_BRANCH: arrive(a, line->target, &state, doubt); break;
		case CODE_JUMP: arrive(a, line->target, &state, doubt); return;
		case CODE_CALL:
			code_state_call(&state, a->arch);
			doubt.call = i;
			if (!line->never_returns)
				arrive(a, i + 1, &state, doubt);
			return;
		case CODE_JUMP_UNKNOWN: jump_somewhere(a, i, &state); return;
		default: return;
		}
	}
}

static void follow_all(struct analysis *a)
{
	while (a->queue_count > 0 && a->visits_left > 0 && !a->begin_again) {
		struct leader *leader = &a->leaders[a->queue[--a->queue_count]];

		leader->is_queued = false;
		follow(a, leader);
	}
}

/* Is there only padding up to the next leader, which never runs? */
static bool is_gap(const struct analysis *a, const struct leader *leader)
{
	uint32_t line = leader->line;

	while (line < a->line_count && a->lines[line].is_padding &&
	       (line == leader->line || a->lines[line].leader == NONE))
		line++;
	return line == a->line_count || (line != leader->line && a->lines[line].leader != NONE);
}

/*
 * Takes code that no instruction jumps to for a target of the jump table, with the state at the indirect jump. The instruction
 * before it must not fall through. Leaders that no direct jump reaches come first. Does nothing if the target may be another
 * function and the jump a tail call.
 */
static void follow_tables(struct analysis *a, bool also_targets)
{
	if (!a->jumps_somewhere || (!a->ends_there && !a->is_table))
		return;
	for (uint32_t i = 0; i < a->leader_count && !a->begin_again; i++) {
		struct leader *leader = &a->leaders[i];

		if (leader->is_reached || (a->lines[leader->line].is_target && !also_targets) ||
		    is_gap(a, leader))
			continue;
		reach(a, leader, &a->elsewhere, (struct doubt){ NONE, true });
		follow_all(a);
	}
}

static void forget_ways(struct analysis *a)
{
	a->queue_count = 0;
	a->begin_again = a->jumps_somewhere = a->is_table = false;
	for (uint32_t i = 0; i < a->leader_count; i++)
		a->leaders[i].is_reached = a->leaders[i].is_queued = false;
}

/* Returns false if that takes too long. */
static bool find_states(struct analysis *a)
{
	struct code_state entry;

	code_state_enter(&entry, a->arch);
	a->visits_left = (uint64_t)a->line_count * MAX_VISITS_PER_INSTRUCTION + MINIMUM_VISITS;
	do {
		forget_ways(a);
		reach(a, &a->leaders[0], &entry, (struct doubt){ NONE, false });
		follow_all(a);
		follow_tables(a, false);
		follow_tables(a, true);
	} while (a->begin_again && a->visits_left > 0);
	return a->visits_left > 0;
}

/* --- rows ---------------------------------------------------------------------------- */

struct row_writer {
	cfi_row_visit *visit;
	void *context;
	uint64_t start;
	uint32_t rule;
	bool has_begun;
};

static void write_row(struct row_writer *writer, uint64_t offset, uint32_t rule)
{
	if (writer->has_begun && writer->rule == rule)
		return;
	writer->has_begun = true;
	writer->rule = rule;
	writer->visit(writer->context, writer->start + offset, rule);
}

static void write_rows(const struct analysis *a, struct rule_pool *pool, struct row_writer *writer)
{
	struct code_state state;
	bool is_known = false, has_changed = false;

	for (size_t i = 0; i < a->line_count; i++) {
		const struct line *line = &a->lines[i];

		if (line->leader != NONE) {
			is_known = a->leaders[line->leader].is_reached;
			state = a->leaders[line->leader].state;
			has_changed = true;
		}
		if (has_changed)
			write_row(writer, line->offset,
				  is_known ? code_state_rule(&state, a->arch, pool) : RULE_POOL_NO_CFI);
		has_changed = is_known && line->effect_count > 0;
		if (has_changed)
			apply(a, line, &state);
	}
}

void code_rows_make(const struct code_function_bytes *function, const struct unwind_arch *arch,
		    struct rule_pool *pool, cfi_row_visit *visit, void *context)
{
	struct analysis a = { .arch = arch, .ends_there = function->ends_there };
	struct row_writer writer = { .visit = visit, .context = context, .start = function->start };

	if (function->size <= CODE_ROWS_MAX_BYTES)
		read_lines(&a, function->bytes, function->size);
	if (a.line_count > 0 && find_leaders(&a) && find_states(&a))
		write_rows(&a, pool, &writer);
	if (!writer.has_begun || a.size_bytes < function->size)
		write_row(&writer, writer.has_begun ? a.size_bytes : 0, RULE_POOL_NO_CFI);
	free(a.lines);
	free(a.effects);
	free(a.leaders);
	free(a.queue);
}
