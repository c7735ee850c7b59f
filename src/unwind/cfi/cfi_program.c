/*
 * An interpreter with one row of state: `row` is the current one, `initial` that of the CIE, `remembered` the stack of saved
 * ones. Whenever the pc advances, the row is interned in the rule pool and passed to the visitor. The hash of the registers'
 * rules is kept up incrementally, so that interning does not read the whole row.
 */
#include "unwind/cfi/cfi_program.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/byte_reader.h"
#include "base/hash_table.h"
#include "base/leb128.h"
#include "base/xalloc.h"
#include "unwind/cfi/encoded_pointer.h"

/* The most rows that one FDE may remember; compilers nest one or two. Bounds the memory of a hostile program to 1 MiB. */
enum { MAX_REMEMBERED = 4096 };

/* Not in every dwarf.h. */
enum { CFA_AARCH64_NEGATE_RA_STATE = 0x2d, CFA_AARCH64_NEGATE_RA_STATE_WITH_PC = 0x2c };

/* One row of the table while it is being built. */
struct row {
	struct cfa_rule cfa;
	struct register_rule rules[UNWIND_REGISTER_COUNT]; /* by column */
	uint64_t specified;                                /* bit n: rules[n] is set */
	uint64_t hash;                                     /* of the rules, updated with each change */
};

struct run {
	const struct cfi_section *section;
	const struct cfi_cie *cie;
	const struct unwind_arch *arch;
	struct rule_pool *pool;
	cfi_row_visit *visit;
	void *context;
	struct byte_reader r;
	struct row row;
	struct row initial; /* after the CIE's instructions, for DW_CFA_restore */
	struct row *remembered;
	size_t remembered_count, remembered_capacity;
	uint64_t pc;
	uint64_t end;
	bool in_cie;
	bool failed;
	bool pending;          /* a rule has been passed to visit() … */
	uint32_t pending_rule; /* … namely this one */
};

static uint64_t rule_hash(const struct register_rule *rule)
{
	return hash_u64((uint64_t)rule->kind << 56 | (uint64_t)rule->reg << 48 |
			(uint64_t)rule->column << 40 | (uint32_t)rule->value);
}

static void set(struct run *run, uint64_t column, enum register_rule_kind kind, uint64_t reg, int64_t value)
{
	struct register_rule *rule;

	if (value < INT32_MIN || value > INT32_MAX) {
		run->failed = true;
		return;
	}
	if (column >= run->arch->register_count) /* vectors and the like: not needed to find callers */
		return;
	if (reg >= UNWIND_REGISTER_COUNT) { /* saved in a register that does not exist */
		kind = RULE_UNDEFINED;
		reg = 0;
	}
	rule = &run->row.rules[column];
	run->row.hash ^= rule->kind == RULE_UNSPECIFIED ? 0 : rule_hash(rule);
	*rule = (struct register_rule){
		.kind = (uint8_t)kind, .reg = (uint8_t)reg, .column = (uint8_t)column, .value = (int32_t)value
	};
	if (kind == RULE_UNSPECIFIED) {
		run->row.specified &= ~((uint64_t)1 << column);
	} else {
		run->row.specified |= (uint64_t)1 << column;
		run->row.hash ^= rule_hash(rule);
	}
}

static void set_cfa(struct run *run, uint64_t reg, int64_t offset)
{
	if (reg >= UNWIND_REGISTER_COUNT || offset < INT32_MIN || offset > INT32_MAX)
		run->failed = true;
	else
		run->row.cfa = (struct cfa_rule){ .kind = CFA_REGISTER,
						  .reg = (uint8_t)reg,
						  .value = (int32_t)offset };
}

/* These two change one part of a CFA that is a register and an offset. */
static void change_cfa_register(struct run *run, uint64_t reg)
{
	if (run->row.cfa.kind != CFA_REGISTER)
		run->failed = true;
	else
		set_cfa(run, reg, run->row.cfa.value);
}

static void change_cfa_offset(struct run *run, int64_t offset)
{
	if (run->row.cfa.kind != CFA_REGISTER)
		run->failed = true;
	else
		set_cfa(run, run->row.cfa.reg, offset);
}

static int64_t factored(const struct run *run, uint64_t operand)
{
	return (int64_t)(operand * (uint64_t)run->cie->data_alignment);
}

static struct dwarf_expr read_expression(struct run *run)
{
	size_t size = (size_t)leb128_unsigned(&run->r);
	const uint8_t *bytes = byte_reader_bytes(&run->r, size);

	return (struct dwarf_expr){ .bytes = bytes,
				    .size = bytes ? size : 0,
				    .swap = run->section->swap,
				    .is_32bit = !run->section->is_64bit };
}

static void set_cfa_expression(struct run *run)
{
	struct dwarf_expr expr = read_expression(run);

	if (!expr.bytes)
		return;
	run->row.cfa = dwarf_expr_cfa_rule(&expr, run->arch);
	if (run->row.cfa.kind == CFA_EXPRESSION)
		run->row.cfa.value = (int32_t)rule_pool_add_expression(run->pool, &expr);
}

static void set_expression(struct run *run, bool is_address)
{
	uint64_t column = leb128_unsigned(&run->r);
	struct dwarf_expr expr = read_expression(run);
	uint8_t reg;
	int32_t offset;

	if (!expr.bytes)
		return;
	/* Such an expression computes a register plus an offset; the CFA, which is pushed first, plays no part. */
	if (dwarf_expr_register_offset(&expr, &reg, &offset) == 0)
		set(run, column, is_address ? RULE_AT_REGISTER : RULE_REGISTER_PLUS, reg, offset);
	else
		set(run, column, is_address ? RULE_AT_EXPRESSION : RULE_EXPRESSION, 0,
		    (int64_t)rule_pool_add_expression(run->pool, &expr));
}

static void restore(struct run *run, uint64_t column)
{
	const struct register_rule *rule;

	if (run->in_cie) {
		run->failed = true;
	} else if (column < UNWIND_REGISTER_COUNT) {
		rule = &run->initial.rules[column];
		set(run, column, rule->kind, rule->reg, rule->value);
	}
}

static void remember_state(struct run *run)
{
	if (run->remembered_count == MAX_REMEMBERED) {
		run->failed = true;
		return;
	}
	*ARRAY_ADD(run->remembered, run->remembered_count, run->remembered_capacity) = run->row;
}

static void restore_state(struct run *run)
{
	if (run->remembered_count == 0)
		run->failed = true;
	else
		run->row = run->remembered[--run->remembered_count];
}

/* Passes the current rule to the visitor, unless it equals the last one or covers no instruction of the FDE. */
static void emit(struct run *run, uint32_t rule)
{
	if ((run->pending && run->pending_rule == rule) || run->pc >= run->end)
		return;
	run->pending = true;
	run->pending_rule = rule;
	run->visit(run->context, run->pc, rule);
}

static uint32_t intern(struct run *run)
{
	const struct row *row = &run->row;
	struct register_rule others[UNWIND_REGISTER_COUNT];
	uint64_t left = row->specified & ~((uint64_t)1 << run->arch->fp | (uint64_t)1 << run->cie->ra_column);
	struct unwind_rule rule = {
		.cfa = row->cfa,
		.ra = row->rules[run->cie->ra_column],
		.fp = row->rules[run->arch->fp],
		.others = others,
		.signal_frame = run->cie->signal_frame,
	};
	uint64_t cfa;

	rule.ra.column = (uint8_t)run->cie->ra_column;
	rule.fp.column = run->arch->fp;
	for (; left; left &= left - 1)
		others[rule.other_count++] = row->rules[__builtin_ctzll(left)];
	cfa = (uint64_t)row->cfa.kind << 56 | (uint64_t)row->cfa.reg << 48 |
	      (uint64_t)(uint16_t)row->cfa.addend << 32 | (uint32_t)row->cfa.value;
	return rule_pool_add(run->pool, run->arch, &rule, hash_combine(row->hash, cfa));
}

static void advance_to(struct run *run, uint64_t pc)
{
	if (run->in_cie || pc < run->pc) {
		run->failed = true;
	} else if (pc > run->pc) {
		emit(run, intern(run));
		run->pc = pc;
	}
}

static void advance(struct run *run, uint64_t delta)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(delta, run->cie->code_alignment, &bytes) ||
	    __builtin_add_overflow(bytes, run->pc, &bytes))
		run->failed = true;
	else
		advance_to(run, bytes);
}

static void set_loc(struct run *run)
{
	const struct pointer_bases bases = {
		.bytes = run->section->bytes,
		.bytes_vaddr = run->section->vaddr,
		.data_vaddr = run->section->hdr_vaddr,
		.text_vaddr = run->section->text_vaddr,
		.address_bytes = run->section->is_64bit ? 8 : 4,
	};

	advance_to(run, encoded_pointer_read(&run->r, run->cie->pointer_encoding, &bases));
}

static void one_register(struct run *run, uint8_t op, uint64_t column)
{
	switch (op) {
	case DW_CFA_restore_extended: restore(run, column); break;
	case DW_CFA_undefined: set(run, column, RULE_UNDEFINED, 0, 0); break;
	case DW_CFA_same_value: set(run, column, RULE_SAME_VALUE, 0, 0); break;
	case DW_CFA_def_cfa_register: change_cfa_register(run, column); break;
	case DW_CFA_register: set(run, column, RULE_REGISTER_PLUS, leb128_unsigned(&run->r), 0); break;
	case DW_CFA_def_cfa: set_cfa(run, column, (int64_t)leb128_unsigned(&run->r)); break;
	case DW_CFA_def_cfa_sf: set_cfa(run, column, factored(run, (uint64_t)leb128_signed(&run->r))); break;
	case DW_CFA_offset_extended:
		set(run, column, RULE_AT_CFA, 0, factored(run, leb128_unsigned(&run->r)));
		break;
	case DW_CFA_offset_extended_sf:
		set(run, column, RULE_AT_CFA, 0, factored(run, (uint64_t)leb128_signed(&run->r)));
		break;
	case DW_CFA_GNU_negative_offset_extended:
		set(run, column, RULE_AT_CFA, 0, factored(run, -leb128_unsigned(&run->r)));
		break;
	case DW_CFA_val_offset:
		set(run, column, RULE_CFA_PLUS, 0, factored(run, leb128_unsigned(&run->r)));
		break;
	case DW_CFA_val_offset_sf:
		set(run, column, RULE_CFA_PLUS, 0, factored(run, (uint64_t)leb128_signed(&run->r)));
		break;
	default: run->failed = true;
	}
}

static void extended(struct run *run, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop: break;
	case DW_CFA_set_loc: set_loc(run); break;
	case DW_CFA_advance_loc1: advance(run, byte_reader_u8(&run->r)); break;
	case DW_CFA_advance_loc2: advance(run, byte_reader_u16(&run->r)); break;
	case DW_CFA_advance_loc4: advance(run, byte_reader_u32(&run->r)); break;
	case DW_CFA_MIPS_advance_loc8: advance(run, byte_reader_u64(&run->r)); break;
	case DW_CFA_remember_state: remember_state(run); break;
	case DW_CFA_restore_state: restore_state(run); break;
	case DW_CFA_def_cfa_offset: change_cfa_offset(run, (int64_t)leb128_unsigned(&run->r)); break;
	case DW_CFA_def_cfa_offset_sf:
		change_cfa_offset(run, factored(run, (uint64_t)leb128_signed(&run->r)));
		break;
	case DW_CFA_def_cfa_expression: set_cfa_expression(run); break;
	case DW_CFA_expression: set_expression(run, true); break;
	case DW_CFA_val_expression: set_expression(run, false); break;
	case DW_CFA_GNU_args_size: (void)leb128_unsigned(&run->r); break;
	/*
	 * Whether a return address is signed makes no difference, as signatures are removed from all. On SPARC the first of these
	 * is DW_CFA_GNU_window_save.
	 */
	case CFA_AARCH64_NEGATE_RA_STATE:
	case CFA_AARCH64_NEGATE_RA_STATE_WITH_PC: run->failed |= !run->arch->ra_is_register; break;
	default: one_register(run, op, leb128_unsigned(&run->r));
	}
}

static void execute(struct run *run, const struct cfi_program *program)
{
	run->r = byte_reader_over(program->bytes, program->size, run->section->swap);
	while (!run->failed && byte_reader_left(&run->r) != 0) {
		uint8_t op = byte_reader_u8(&run->r), low = op & 0x3f;

		switch (op & 0xc0) {
		case DW_CFA_advance_loc: advance(run, low); break;
		case DW_CFA_offset:
			set(run, low, RULE_AT_CFA, 0, factored(run, leb128_unsigned(&run->r)));
			break;
		case DW_CFA_restore: restore(run, low); break;
		default: extended(run, op);
		}
		if (!byte_reader_ok(&run->r))
			run->failed = true;
	}
}

void cfi_program_run(const struct cfi_section *section, const struct cfi_cie *cie, const struct cfi_fde *fde,
		     const struct unwind_arch *arch, struct rule_pool *pool, cfi_row_visit *visit,
		     void *context)
{
	struct run run = {
		.section = section,
		.cie = cie,
		.arch = arch,
		.pool = pool,
		.visit = visit,
		.context = context,
		.pc = fde->start,
		.end = fde->end,
		.in_cie = true,
		.failed = cie->ra_column >= arch->register_count,
	};

	execute(&run, &cie->initial);
	run.initial = run.row;
	run.in_cie = false;
	execute(&run, &fde->program);
	emit(&run, run.failed ? RULE_POOL_NO_CFI : intern(&run));
	free(run.remembered);
}
