/*
 * A search over code paths (ways): follow_way() follows one path, applies each instruction to a symbolic state (registers as
 * places relative to the starting frame) and puts branches into lists by certainty: without a call, behind a call, behind an
 * indirect jump. The first path that reaches a return wins. Each instruction is visited once and their number is limited. Start
 * at code_exit_rule().
 */
#include "unwind/code/code_exit.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "unwind/code/exit_memo.h"
#include "unwind/code/exit_registers.h"
#include "unwind/code/instruction_cache.h"
#include "unwind/code/offset_set.h"

enum {
	MAX_INSTRUCTIONS = 8192, /* the most that one search reads */
	MAX_WAYS = 1024,         /* the most paths waiting in a list */
	MAX_INSTRUCTION_BYTES = 16,
};

struct exit_state {
	int32_t taken; /* bytes of arguments that the return pops */
	bool is_tail;  /* ends in a jump with an unknown target, not in a return */
	bool has_jump; /* ends in a jump by `jump` bytes, beyond the known bytes */
	bool behind_jump; /* continues behind a jump with an unknown target, to where a jump table may lead back */
	int64_t jump;
	bool interpreted;                                 /* ends in a frame of HotSpot's interpreter */
	bool is_found;                                    /* the search reached one of these ends */
	struct code_exit_call calls[CODE_EXIT_MAX_CALLS]; /* on the path */
	uint8_t call_count;
	bool has_unknown_call;           /* or more calls than fit */
	struct exit_registers registers; /* last, for copy_way() */
};

static void begin(struct exit_state *state, const struct unwind_arch *arch)
{
	memset(state, 0, offsetof(struct exit_state, registers));
	exit_registers_begin(&state->registers, arch);
}

/* Is it ret or rep ret? *taken: bytes of arguments that it pops as well. */
static bool is_return(const uint8_t *at, size_t size, int32_t *taken)
{
	*taken = size >= 3 && at[0] == 0xc2 ? at[1] | at[2] << 8 : 0;
	return *taken || (size >= 1 && at[0] == 0xc3) || (size >= 2 && at[0] == 0xf3 && at[1] == 0xc3);
}

/* --- paths ------------------------------------------------------------------------ */

/* One path, as far as it has been followed. */
struct way {
	size_t at; /* offset of the next instruction, from search.start */
	struct exit_state state;
};

/* Copies only the stores in use: most paths store next to nothing, and the unused ones are half of the struct. */
static void copy_way(struct way *to, const struct way *from)
{
	memcpy(to, from,
	       offsetof(struct way, state.registers.stores) +
		       from->state.registers.store_count * sizeof(*from->state.registers.stores));
}

struct way_list {
	struct way *ways;
	size_t first, count, capacity;
};

/*
 * Paths that branched off and were not followed yet. Paths behind a call come after sure ones, which rest only on what the
 * processor does: a call may not return, or pop its arguments. Last come paths behind jumps with unknown targets, where the same
 * function mostly, but not always, continues.
 */
struct way_lists {
	struct way_list sure, doubtful, behind_jumps;
};

struct code_exits {
	struct exit_memo *memo;
	struct way_lists ways; /* empty between searches; keeps their memory, so that it is mapped once */
};

struct search {
	const uint8_t *start;
	size_t size, from; /* offset where the search began */
	struct offset_set visited;
	struct way_lists ways;
	/*
	 * Ends to use if no return is found: the most certain jump to an unknown target (as a function's last jump may be), and
	 * the first jump beyond the known bytes.
	 */
	struct exit_state tail, far;
	int instructions_left;
	struct instruction_cache *instructions; /* may be NULL, like the next two */
	struct code_exits *exits;
	struct exit_trail *trail; /* the bytes that the result depends on */
};

static struct search search_from(const struct code_bytes *code)
{
	return (struct search){
		.start = code->at - code->before,
		.size = code->before + code->after,
		.from = code->before,
		.instructions_left = MAX_INSTRUCTIONS,
		.ways = code->exits ? code->exits->ways : (struct way_lists){ .sure.ways = NULL },
		.instructions = code->instructions,
		.exits = code->exits,
	};
}

static void empty(struct way_list *list)
{
	list->first = list->count = 0;
}

static void free_ways(struct way_lists *ways)
{
	free(ways->sure.ways);
	free(ways->doubtful.ways);
	free(ways->behind_jumps.ways);
}

/* Notes that the result depends on the values of bytes [start, end). */
static void note_bytes(struct search *search, size_t start, size_t end)
{
	const int64_t from = (int64_t)search->from;

	if (search->trail)
		exit_trail_add(search->trail, (int64_t)start - from, (int64_t)end - from);
}

/* Notes that the result depends on more than the bytes around the followed instructions. */
static void note_unique(struct search *search)
{
	if (search->trail)
		search->trail->is_unique = true;
}

/* Notes that the result also depends on bytes before and behind the instruction, as part of a longer pattern. */
static void note_around(struct search *search, size_t at)
{
	if (at < EXIT_TRAIL_BEFORE_BYTES)
		note_unique(search);
	else
		note_bytes(search, at - EXIT_TRAIL_BEFORE_BYTES, at + MAX_INSTRUCTION_BYTES);
}

static void put_off(struct search *search, const struct way *way, size_t at)
{
	struct way_list *list = way->state.behind_jump          ? &search->ways.behind_jumps :
				way->state.registers.after_call ? &search->ways.doubtful :
								  &search->ways.sure;

	if (list->count == MAX_WAYS)
		return;
	copy_way(ARRAY_ADD(list->ways, list->count, list->capacity), way);
	list->ways[list->count - 1].at = at;
}

/* Takes sure paths first. Of doubtful ones takes the nearest: calls that never return lie behind all else. */
static bool take_next(struct search *search, struct way *way)
{
	struct way_list *sure = &search->ways.sure, *doubtful = &search->ways.doubtful,
			*rest = &search->ways.behind_jumps;

	if (sure->count > 0)
		copy_way(way, &sure->ways[--sure->count]);
	else if (doubtful->first < doubtful->count)
		copy_way(way, &doubtful->ways[doubtful->first++]);
	else if (!search->far.has_jump && rest->first < rest->count)
		copy_way(way, &rest->ways[rest->first++]);
	else
		return false;
	return true;
}

/* The offset that the instruction jumps to; the search's size if that is unknown. */
static size_t target_of(struct search *search, size_t at, const struct code_instruction *instruction)
{
	const int64_t target = (int64_t)at + instruction->target;
	const bool is_known = target >= 0 && target < (int64_t)search->size;

	if (!instruction->has_target)
		return search->size;
	if (search->trail)
		exit_trail_ask(search->trail, target - (int64_t)search->from, is_known);
	return is_known ? (size_t)target : search->size;
}

/*
 * Puts off paths behind each direct call of the nearest call target before the search's start: this code returns there by a jump.
 */
static void put_off_callers(struct search *search, const struct way *way)
{
	enum { NEAR_BYTES = 1024, CALL = 0xe8, CALL_BYTES = 5 };
	size_t nearest = search->from > NEAR_BYTES ? search->from - NEAR_BYTES : 0;

	note_unique(search);
	for (int round = 0; round < 2; round++)
		for (size_t at = 0; at + CALL_BYTES <= search->size; at++) {
			int32_t relative;
			size_t target;

			if (search->start[at] != CALL)
				continue;
			memcpy(&relative, search->start + at + 1, sizeof(relative));
			target = at + CALL_BYTES + (size_t)(int64_t)relative;
			if (round == 0 && target >= nearest && target <= search->from)
				nearest = target;
			else if (round == 1 && target == nearest)
				put_off(search, way, at + CALL_BYTES);
		}
}

/*
 * push %reg; ret: sljit returns this way from code that it called within a function, whose return address it had popped;
 * lightening jumps this way.
 */
static bool is_pushed_jump(struct search *search, const struct way *way)
{
	note_bytes(search, way->at - (way->at > 0), way->at + 1);
	return way->at > 0 && (search->start[way->at - 1] & 0xf8) == 0x50 && search->start[way->at] == 0xc3;
}

static void note_pushed_jump(struct search *search, const struct way *way)
{
	struct way next = *way;

	next.state.registers.value[next.state.registers.arch->sp].offset +=
		next.state.registers.arch->word_bytes;
	next.state.behind_jump = true;
	put_off_callers(search, &next);
	put_off(search, &next, way->at + 1);
}

/*
 * Notes a path that ends in a jump with an unknown target. Of several the first counts, but one without a call is preferred. The
 * code behind the jump is tried last.
 */
static void note_tail(struct search *search, const struct way *way, size_t behind)
{
	const struct exit_value *sp = &way->state.registers.value[way->state.registers.arch->sp];
	struct way next = *way;

	next.state.behind_jump = true;
	put_off(search, &next, behind);
	if ((search->tail.is_tail &&
	     (way->state.registers.after_call || !search->tail.registers.after_call)) ||
	    way->state.behind_jump || sp->kind != EXIT_PLACE || sp->base != way->state.registers.arch->sp ||
	    sp->offset < 0)
		return;
	search->tail = way->state;
	search->tail.is_tail = true;
}

static void note_far_jump(struct search *search, const struct way *way, int64_t distance)
{
	const struct exit_value *sp = &way->state.registers.value[way->state.registers.arch->sp];

	if (search->far.has_jump || sp->kind != EXIT_PLACE || sp->base == EXIT_KEPT_SP ||
	    (sp->base == way->state.registers.arch->sp && sp->offset < 0))
		return;
	search->far = way->state;
	search->far.has_jump = true;
	search->far.jump = (int64_t)way->at + distance - (int64_t)search->from;
}

/* call *disp(%rip): the target is in a word that may lie anywhere in the code. */
static bool names_word(const struct code_bytes *call)
{
	return call->after > 1 && call->at[0] == 0xff && call->at[1] == 0x15;
}

/*
 * Finds the call's target, relative to the search's start or absolute: from the call itself, from the word that it names, or from
 * the preceding instruction, which sets the register.
 */
static bool find_callee(struct search *search, const struct way *way,
			const struct code_instruction *instruction, struct code_exit_call *call)
{
	const struct code_bytes code = { .at = search->start + way->at,
					 .before = way->at,
					 .after = search->size - way->at };

	if (instruction->has_target) {
		*call = (struct code_exit_call){ .target = (int64_t)way->at + instruction->target -
							   (int64_t)search->from };
		return true;
	}
	*call = (struct code_exit_call){ .is_absolute = true };
	note_around(search, way->at);
	if (names_word(&code))
		note_unique(search);
	return way->state.registers.arch->indirect_callee &&
	       way->state.registers.arch->indirect_callee(&code, (uint64_t *)&call->target);
}

static void note_call(struct search *search, struct way *way, const struct code_instruction *instruction)
{
	struct exit_state *state = &way->state;

	if (state->call_count < CODE_EXIT_MAX_CALLS &&
	    find_callee(search, way, instruction, &state->calls[state->call_count]))
		state->call_count++;
	else
		state->has_unknown_call = true;
}

/* Moves the path on after its instruction was applied. Returns false if the path ends, or waits in a list. */
static bool go_on(struct search *search, struct way *way, const struct code_instruction *instruction)
{
	const bool goes_there = instruction->flow == CODE_BRANCH || instruction->flow == CODE_JUMP;
	const size_t target = goes_there ? target_of(search, way->at, instruction) : search->size;
	const size_t behind = way->at + instruction->size_bytes;
	const bool was_sure = !way->state.registers.after_call && !way->state.behind_jump;

	switch (instruction->flow) {
	case CODE_NEXT: break;
	case CODE_BRANCH:
		if (target < search->size)
			put_off(search, way, target);
		break;
	case CODE_CALL:
		note_call(search, way, instruction);
		exit_registers_apply_call(&way->state.registers);
		if (was_sure) {
			put_off(search, way, behind);
			return false;
		}
		break;
	case CODE_JUMP:
		if (target == search->size) {
			note_far_jump(search, way, instruction->target);
			return false;
		}
		way->at = target;
		return true;
	case CODE_JUMP_UNKNOWN: note_tail(search, way, behind); return false;
	default: return false;
	}
	way->at = behind;
	return true;
}

/* Is the place of the return address known? */
static bool is_known(const struct exit_state *state)
{
	const struct exit_value *sp = &state->registers.value[state->registers.arch->sp];

	return sp->kind == EXIT_PLACE && (sp->base != state->registers.arch->sp || sp->offset >= 0);
}

/* Is the path at the jump of HotSpot's interpreter to its next bytecode, still in the frame of the start? */
static bool is_interpreted(struct search *search, const struct way *way)
{
	const struct unwind_arch *arch = way->state.registers.arch;
	const struct exit_value *fp = &way->state.registers.value[arch->fp];
	const struct code_bytes code = { .at = search->start + way->at,
					 .before = way->at,
					 .after = search->size - way->at };

	note_around(search, way->at);
	return fp->kind == EXIT_PLACE && fp->base == arch->fp && !fp->offset &&
	       arch->is_interpreter_dispatch && arch->is_interpreter_dispatch(&code);
}

/* NULL if it cannot be decoded. `room`: memory for an instruction decoded without the cache. */
static const struct code_instruction *read_instruction(struct search *search, const struct way *way,
						       struct code_instruction *room)
{
	const uint8_t *at = search->start + way->at;
	const size_t size = search->size - way->at;

	if (search->instructions)
		return instruction_cache_read(search->instructions, at, size);
	return way->state.registers.arch->read_instruction(at, size, room) ? room : NULL;
}

/* Returns true if it reached a return; the state is that before the return. */
static bool follow_way(struct search *search, struct way *way)
{
	const struct code_instruction *instruction;
	struct code_instruction room;

	while (search->instructions_left > 0 && way->at < search->size &&
	       offset_set_add(&search->visited, way->at)) {
		const uint8_t *at = search->start + way->at;
		const size_t size = search->size - way->at;

		search->instructions_left--;
		instruction = read_instruction(search, way, &room);
		if (!instruction) {
			note_bytes(search, way->at, way->at + MAX_INSTRUCTION_BYTES);
			return false;
		}
		note_bytes(search, way->at, way->at + instruction->size_bytes);
		if (instruction->flow == CODE_END && is_pushed_jump(search, way))
			note_pushed_jump(search, way);
		if (instruction->flow == CODE_END)
			return is_return(at, size, &way->state.taken) && is_known(&way->state);
		if (instruction->flow == CODE_JUMP_UNKNOWN && is_interpreted(search, way)) {
			way->state.interpreted = true;
			return true;
		}
		for (uint8_t i = 0; i < instruction->effect_count; i++)
			exit_registers_apply(&way->state.registers, &instruction->effects[i]);
		if (!go_on(search, way, instruction))
			return false;
	}
	return false;
}

static void fini(struct search *search)
{
	offset_set_fini(&search->visited);
	if (!search->exits) {
		free_ways(&search->ways);
		return;
	}
	empty(&search->ways.sure);
	empty(&search->ways.doubtful);
	empty(&search->ways.behind_jumps);
	search->exits->ways = search->ways;
}

/* Stores are not needed after the search, so results exclude them. */
enum { RESULT_BYTES = offsetof(struct exit_state, registers.stores) };

/* Follows the instructions, on any path, to a return. */
static void search_exit(struct exit_state *state, const struct code_bytes *code, struct exit_trail *trail)
{
	struct search search = search_from(code);
	struct way way = { .at = code->before, .state = *state };
	bool found;

	search.trail = trail;
	do
		found = follow_way(&search, &way);
	while (!found && take_next(&search, &way));
	*state = found ? way.state : search.far.has_jump ? search.far : search.tail;
	/* HotSpot's stubs have both: a jump to the method, and one to the code that repairs calls of the wrong method. */
	if (!found && search.far.has_jump)
		state->is_tail = search.tail.is_tail &&
				 !search.tail.registers.value[search.tail.registers.arch->sp].offset;
	state->is_found = found || state->has_jump || state->is_tail;
	fini(&search);
}

/* Like search_exit(), but uses a cached result. Returns false if no end was found. */
static bool follow(struct exit_state *state, const struct code_bytes *code)
{
	const void *known = code->exits ? exit_memo_find(code->exits->memo, code) : NULL;
	struct exit_trail trail;

	if (known) {
		memcpy(state, known, RESULT_BYTES);
		return state->is_found;
	}
	exit_trail_begin(&trail);
	search_exit(state, code, code->exits ? &trail : NULL);
	state->registers.store_count = 0;
	if (code->exits)
		exit_memo_put(code->exits->memo, code, &trail, state);
	return state->is_found;
}

struct code_exits *code_exits_create(void)
{
	struct code_exits *exits = xcalloc(1, sizeof(*exits));

	exits->memo = exit_memo_create(RESULT_BYTES);
	return exits;
}

void code_exits_destroy(struct code_exits *exits)
{
	if (!exits)
		return;
	exit_memo_destroy(exits->memo);
	free_ways(&exits->ways);
	free(exits);
}

void code_exits_forget(struct code_exits *exits)
{
	exit_memo_destroy(exits->memo);
	exits->memo = exit_memo_create(RESULT_BYTES);
}

bool code_exits_know(const struct code_exits *exits, const struct code_bytes *code)
{
	return exit_memo_find(exits->memo, code);
}

/* Does the result rest on an assumption: what a call did to the stack pointer, or where a jump leads? */
static bool is_assumed(const struct exit_state *state)
{
	bool is_after_call = state->registers.value[state->registers.arch->sp].assumed ||
			     state->registers.value[state->registers.arch->fp].assumed;

	for (uint8_t i = 0; i < state->registers.arch->register_count; i++)
		is_after_call |=
			state->registers.value[i].kind == EXIT_LOADED && state->registers.value[i].assumed;
	return state->behind_jump || is_after_call;
}

/* --- the rule ------------------------------------------------------------------------- */

/*
 * The rule for the caller's register, relative to the CFA, which lies `cfa_offset` above `base`, the register that the stack
 * pointer's place is relative to.
 */
static struct register_rule rule_of(const struct exit_state *state, uint8_t reg, uint8_t base,
				    int32_t cfa_offset)
{
	const struct exit_value *value = &state->registers.value[reg];
	struct register_rule rule = { .kind = RULE_UNDEFINED, .column = reg };

	if (exit_value_is_unchanged(value, reg)) {
		rule.kind = RULE_SAME_VALUE;
	} else if (value->kind == EXIT_LOADED && value->base == base) {
		rule.kind = RULE_AT_CFA;
		rule.value = value->offset - cfa_offset;
	}
	return rule;
}

static uint64_t hash_of(const struct unwind_rule *rule)
{
	uint64_t hash = hash_combine(hash_combine(rule->cfa.kind, rule->cfa.reg), (uint64_t)rule->cfa.value);

	hash = hash_combine(hash, (uint64_t)rule->assumed << 2 | (uint64_t)rule->tail << 1 | rule->jumps);
	hash = hash_combine(hash, hash_bytes(&rule->ra, sizeof(rule->ra)));
	hash = hash_combine(hash, hash_bytes(&rule->fp, sizeof(rule->fp)));
	return hash_combine(hash, hash_bytes(rule->others, rule->other_count * sizeof(*rule->others)));
}

/*
 * A frame of HotSpot's interpreter. Its caller's stack pointer is in the word below the one that the frame pointer points to,
 * since arguments may have been added below the caller's old stack pointer (frame_x86.hpp of OpenJDK). Other registers are lost.
 */
static uint32_t interpreter_rule(const struct exit_state *state, struct rule_pool *pool)
{
	const struct unwind_arch *arch = state->registers.arch;
	struct register_rule others[UNWIND_REGISTER_COUNT];
	struct unwind_rule rule = {
		.cfa = { .kind = CFA_AT_REGISTER, .reg = arch->fp, .value = -8 },
		.ra = { .kind = RULE_AT_REGISTER, .reg = arch->fp, .column = arch->ra, .value = 8 },
		.fp = { .kind = RULE_AT_REGISTER, .reg = arch->fp, .column = arch->fp },
		.others = others,
		.by_code = true,
		.assumed = state->behind_jump,
	};

	for (uint8_t i = 0; i < arch->register_count; i++)
		if (i != arch->fp && i != arch->sp && arch->callee_saved >> i & 1)
			others[rule.other_count++] =
				(struct register_rule){ .kind = RULE_UNDEFINED, .column = i };
	return rule_pool_add(pool, arch, &rule, hash_of(&rule));
}

static struct cfa_rule cfa_of(const struct exit_state *state, int32_t cfa_offset)
{
	const struct exit_value *sp = &state->registers.value[state->registers.arch->sp],
				*kept = &state->registers.kept_sp;

	if (sp->base != EXIT_KEPT_SP)
		return (struct cfa_rule){ .kind = CFA_REGISTER, .reg = sp->base, .value = cfa_offset };
	return (struct cfa_rule){ .kind = CFA_AT_REGISTER,
				  .reg = kept->base,
				  .value = kept->offset,
				  .addend = (int16_t)cfa_offset };
}

/*
 * Registers that calls may change are known to be kept only if the path shows it: assembly that calls its own assembly keeps the
 * stack pointer in one.
 */
static void add_other(struct unwind_rule *rule, struct register_rule *others, struct register_rule other,
		      const struct unwind_arch *arch)
{
	const bool survives = arch->callee_saved >> other.column & 1, is_same = other.kind == RULE_SAME_VALUE;

	if (survives ? !is_same : is_same)
		others[rule->other_count++] = other;
}

uint32_t code_exit_rule(const struct code_bytes *code, const struct unwind_arch *arch, struct rule_pool *pool)
{
	struct register_rule others[UNWIND_REGISTER_COUNT];
	struct unwind_rule rule = { .others = others, .by_code = true };
	const struct exit_value *sp;
	struct exit_state state;
	int32_t cfa_offset;

	begin(&state, arch);
	sp = &state.registers.value[arch->sp];
	/* Works only for machines with the return address on the stack. */
	if (arch->ra_is_register || !code->at || !follow(&state, code))
		return RULE_POOL_NO_CFI;
	if (state.interpreted)
		return interpreter_rule(&state, pool);
	cfa_offset = sp->offset + (state.has_jump ? 0 : arch->word_bytes + state.taken);
	if (sp->base == EXIT_KEPT_SP && (cfa_offset < 0 || cfa_offset > INT16_MAX))
		return RULE_POOL_NO_CFI;
	rule.cfa = cfa_of(&state, cfa_offset);
	rule.ra = (struct register_rule){ .kind = RULE_AT_CFA,
					  .column = arch->ra,
					  .value = -arch->word_bytes - state.taken };
	if (state.has_jump)
		rule.ra = (struct register_rule){ .kind = RULE_REGISTER_PLUS,
						  .reg = arch->ra,
						  .column = arch->ra,
						  .value = (int32_t)state.jump };
	rule.jumps = state.has_jump;
	rule.tail = state.is_tail;
	rule.assumed = is_assumed(&state);
	rule.fp = rule_of(&state, arch->fp, sp->base, cfa_offset);
	for (uint8_t i = 0; i < arch->register_count; i++)
		if (i != arch->fp && i != arch->sp && i != arch->ra)
			add_other(&rule, others, rule_of(&state, i, sp->base, cfa_offset), arch);
	return rule_pool_add(pool, arch, &rule, hash_of(&rule));
}

bool code_exit_way(const struct code_bytes *code, const struct unwind_arch *arch, struct code_exit_way *way)
{
	const struct exit_value *sp;
	struct exit_state state;

	begin(&state, arch);
	sp = &state.registers.value[arch->sp];
	if (arch->ra_is_register || !code->at || !follow(&state, code) || state.is_tail || state.behind_jump)
		return false;
	*way = (struct code_exit_way){ .is_assumed = is_assumed(&state),
				       .leaves_stack = !state.interpreted && !state.taken &&
						       sp->base == arch->sp && sp->offset == 0,
				       .has_jump = state.has_jump,
				       .jump = state.jump,
				       .has_unknown_call = state.has_unknown_call,
				       .call_count = state.call_count };
	memcpy(way->calls, state.calls, state.call_count * sizeof(*way->calls));
	return true;
}

bool code_exit_reaches(const struct code_bytes *code, const struct unwind_arch *arch, size_t distance)
{
	struct search search = search_from(code);
	struct way way = { .at = code->before };
	const size_t at = code->before + distance;
	bool found;

	begin(&way.state, arch);
	do
		(void)follow_way(&search, &way);
	while (take_next(&search, &way));
	found = offset_set_has(&search.visited, at);
	fini(&search);
	return found;
}
