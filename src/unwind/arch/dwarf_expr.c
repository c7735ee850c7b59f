/*
 * A stack machine with a fixed depth and a limit of steps; values are 64 bits wide, narrowed and sign-extended for 32-bit
 * programs. The second half recognises three shapes of CFA expressions, the linker's PLT among them, and turns them into
 * rules, so that the machine rarely runs.
 */
#include "unwind/arch/dwarf_expr.h"

#include <dwarf.h>

#include "base/byte_reader.h"
#include "base/leb128.h"

enum {
	MAX_DEPTH = 64,   /* expressions of compilers and linkers keep a handful of values */
	MAX_STEPS = 1000, /* stops DW_OP_skip from looping */
};

struct evaluation {
	const struct dwarf_expr *expr;
	const struct unwind_registers *regs;
	const struct stack_memory *memory;
	struct byte_reader r;
	uint64_t stack[MAX_DEPTH];
	size_t depth;
	uint64_t bad_address;
	enum dwarf_expr_result result;
};

static size_t address_bytes(const struct dwarf_expr *expr)
{
	return expr->is_32bit ? 4 : 8;
}

static struct byte_reader reader_over(const struct dwarf_expr *expr)
{
	return byte_reader_over(expr->bytes, expr->size, expr->swap);
}

/* Values have the size of an address, and are signed in comparisons and divisions (DWARF 5, section 2.5.1). */
static uint64_t narrowed(const struct evaluation *e, uint64_t value)
{
	return e->expr->is_32bit ? (uint64_t)(int32_t)(uint32_t)value : value;
}

static uint64_t without_sign(const struct evaluation *e, uint64_t value)
{
	return e->expr->is_32bit ? (uint32_t)value : value;
}

static void push(struct evaluation *e, uint64_t value)
{
	if (e->depth == MAX_DEPTH)
		e->result = DWARF_EXPR_INVALID;
	else
		e->stack[e->depth++] = narrowed(e, value);
}

static uint64_t pop(struct evaluation *e)
{
	if (e->depth == 0) {
		e->result = DWARF_EXPR_INVALID;
		return 0;
	}
	return e->stack[--e->depth];
}

/* DW_OP_pick counts from the top. */
static void pick(struct evaluation *e, size_t from_top)
{
	if (from_top >= e->depth)
		e->result = DWARF_EXPR_INVALID;
	else
		push(e, e->stack[e->depth - 1 - from_top]);
}

static void push_register(struct evaluation *e, uint64_t reg, int64_t offset)
{
	if (reg >= UNWIND_REGISTER_COUNT || !(e->regs->known >> reg & 1))
		e->result = DWARF_EXPR_UNKNOWN_REGISTER;
	else
		push(e, e->regs->value[reg] + (uint64_t)offset);
}

static void dereference(struct evaluation *e, size_t size)
{
	const uint64_t address = without_sign(e, pop(e));
	const uint8_t *bytes;
	uint64_t word = 0;

	if (e->result != DWARF_EXPR_OK)
		return;
	if (size == 0 || size > sizeof(word)) {
		e->result = DWARF_EXPR_INVALID;
	} else if (!(bytes = stack_memory_at(e->memory, address, size))) {
		e->bad_address = address;
		e->result = DWARF_EXPR_NO_MEMORY;
	} else if (size == address_bytes(e->expr)) {
		(void)stack_memory_word(e->memory, address, &word);
		push(e, word);
	} else {
		bool little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != e->memory->swap;

		for (size_t i = 0; i < size; i++)
			word = word << 8 | bytes[little ? size - 1 - i : i];
		push(e, word);
	}
}

static uint64_t shift_right_signed(uint64_t value, uint64_t shift)
{
	uint64_t sign = value >> 63 ? ~(uint64_t)0 : 0;

	if (shift > 63)
		return sign;
	return shift ? value >> shift | sign << (64 - shift) : value;
}

/* Signed division (DWARF 5, section 2.5.1.4), which wraps if the quotient does not fit. */
static uint64_t divide(struct evaluation *e, uint64_t a, uint64_t b)
{
	if (b == 0) {
		e->result = DWARF_EXPR_INVALID;
		return 0;
	}
	return b == UINT64_MAX ? -a : (uint64_t)((int64_t)a / (int64_t)b);
}

static uint64_t modulo(struct evaluation *e, uint64_t a, uint64_t b)
{
	if (b == 0) {
		e->result = DWARF_EXPR_INVALID;
		return 0;
	}
	return without_sign(e, a) % without_sign(e, b);
}

/* a is the second value on the stack, b the top. */
static uint64_t binary(struct evaluation *e, uint8_t op, uint64_t a, uint64_t b)
{
	switch (op) {
	case DW_OP_and: return a & b;
	case DW_OP_div: return divide(e, a, b);
	case DW_OP_minus: return a - b;
	case DW_OP_mod: return modulo(e, a, b);
	case DW_OP_mul: return a * b;
	case DW_OP_or: return a | b;
	case DW_OP_plus: return a + b;
	case DW_OP_shl: return b < 64 ? a << b : 0;
	case DW_OP_shr: return b < 64 ? without_sign(e, a) >> b : 0;
	case DW_OP_shra: return shift_right_signed(a, b);
	case DW_OP_xor: return a ^ b;
	case DW_OP_eq: return a == b;
	case DW_OP_ge: return (int64_t)a >= (int64_t)b;
	case DW_OP_gt: return (int64_t)a > (int64_t)b;
	case DW_OP_le: return (int64_t)a <= (int64_t)b;
	case DW_OP_lt: return (int64_t)a < (int64_t)b;
	case DW_OP_ne: return a != b;
	default: e->result = DWARF_EXPR_INVALID; return 0;
	}
}

static bool is_binary(uint8_t op)
{
	return op == DW_OP_and || op == DW_OP_div || op == DW_OP_minus || op == DW_OP_mod ||
	       op == DW_OP_mul || op == DW_OP_or || op == DW_OP_plus || op == DW_OP_shl || op == DW_OP_shr ||
	       op == DW_OP_shra || op == DW_OP_xor || (op >= DW_OP_eq && op <= DW_OP_ne);
}

/* Jumps by a signed number of bytes, counted from behind the operand, within the expression. */
static void jump(struct evaluation *e, bool taken)
{
	int16_t distance = (int16_t)byte_reader_u16(&e->r);
	ptrdiff_t target = e->r.next - e->expr->bytes + distance;

	if (!taken || !byte_reader_ok(&e->r))
		return;
	if (target < 0 || (size_t)target > e->expr->size)
		e->result = DWARF_EXPR_INVALID;
	else
		e->r.next = e->expr->bytes + target;
}

static uint64_t constant(struct byte_reader *r, uint8_t op, const struct dwarf_expr *expr)
{
	switch (op) {
	case DW_OP_addr: return expr->is_32bit ? byte_reader_u32(r) : byte_reader_u64(r);
	case DW_OP_const1u: return byte_reader_u8(r);
	case DW_OP_const1s: return (uint64_t)(int64_t)(int8_t)byte_reader_u8(r);
	case DW_OP_const2u: return byte_reader_u16(r);
	case DW_OP_const2s: return (uint64_t)(int64_t)(int16_t)byte_reader_u16(r);
	case DW_OP_const4u: return byte_reader_u32(r);
	case DW_OP_const4s: return (uint64_t)(int64_t)(int32_t)byte_reader_u32(r);
	case DW_OP_const8u:
	case DW_OP_const8s: return byte_reader_u64(r);
	case DW_OP_constu: return leb128_unsigned(r);
	default: return (uint64_t)leb128_signed(r); /* DW_OP_consts */
	}
}

static bool is_constant(uint8_t op)
{
	return op == DW_OP_addr || (op >= DW_OP_const1u && op <= DW_OP_consts);
}

static void rearrange(struct evaluation *e, uint8_t op)
{
	uint64_t top = pop(e), second = pop(e);

	if (op == DW_OP_swap) {
		push(e, top);
		push(e, second);
	} else { /* DW_OP_rot: the top goes third, the others move up */
		uint64_t third = pop(e);

		push(e, top);
		push(e, third);
		push(e, second);
	}
}

static void other_operation(struct evaluation *e, uint8_t op)
{
	uint64_t a;

	switch (op) {
	case DW_OP_nop: break;
	case DW_OP_dup: pick(e, 0); break;
	case DW_OP_over: pick(e, 1); break;
	case DW_OP_pick: pick(e, byte_reader_u8(&e->r)); break;
	case DW_OP_drop: (void)pop(e); break;
	case DW_OP_swap:
	case DW_OP_rot: rearrange(e, op); break;
	case DW_OP_deref: dereference(e, address_bytes(e->expr)); break;
	case DW_OP_deref_size: dereference(e, byte_reader_u8(&e->r)); break;
	case DW_OP_abs:
		a = pop(e);
		push(e, (int64_t)a < 0 ? -a : a);
		break;
	case DW_OP_neg: push(e, -pop(e)); break;
	case DW_OP_not: push(e, ~pop(e)); break;
	case DW_OP_plus_uconst: push(e, pop(e) + leb128_unsigned(&e->r)); break;
	case DW_OP_skip: jump(e, true); break;
	case DW_OP_bra: jump(e, pop(e) != 0); break;
	default: e->result = DWARF_EXPR_INVALID;
	}
}

static void operation(struct evaluation *e)
{
	uint8_t op = byte_reader_u8(&e->r);

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(e, op - (uint64_t)DW_OP_lit0);
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_register(e, op - (uint64_t)DW_OP_breg0, leb128_signed(&e->r));
	} else if (op == DW_OP_bregx) {
		uint64_t reg = leb128_unsigned(&e->r);

		push_register(e, reg, leb128_signed(&e->r));
	} else if (is_constant(op)) {
		push(e, constant(&e->r, op, e->expr));
	} else if (is_binary(op)) {
		uint64_t b = pop(e), a = pop(e);

		push(e, binary(e, op, a, b));
	} else {
		other_operation(e, op);
	}
}

enum dwarf_expr_result dwarf_expr_evaluate(const struct dwarf_expr *expr, const struct unwind_registers *regs,
					   const struct stack_memory *memory, const uint64_t *first,
					   uint64_t *value)
{
	struct evaluation e = { .expr = expr, .regs = regs, .memory = memory, .r = reader_over(expr) };

	if (first)
		push(&e, *first);
	for (int steps = 0; byte_reader_left(&e.r) != 0; steps++) {
		operation(&e);
		if (e.result == DWARF_EXPR_OK && (!byte_reader_ok(&e.r) || steps == MAX_STEPS))
			e.result = DWARF_EXPR_INVALID;
		if (e.result != DWARF_EXPR_OK)
			break;
	}
	*value = e.result == DWARF_EXPR_NO_MEMORY ? e.bad_address : 0;
	if (e.result == DWARF_EXPR_OK)
		*value = without_sign(&e, pop(&e));
	return e.result;
}

static bool fits(int64_t value)
{
	return value >= INT32_MIN && value <= INT32_MAX;
}

/* DW_OP_breg0 to 31 and DW_OP_bregx. */
static bool read_register_offset(struct byte_reader *r, uint8_t *reg, int32_t *offset)
{
	uint8_t op = byte_reader_u8(r);
	uint64_t number;
	int64_t value;

	if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		number = op - (uint64_t)DW_OP_breg0;
	else if (op == DW_OP_bregx)
		number = leb128_unsigned(r);
	else
		return false;
	value = leb128_signed(r);
	*reg = (uint8_t)number;
	*offset = (int32_t)value;
	return byte_reader_ok(r) && number < UNWIND_REGISTER_COUNT && fits(value);
}

int dwarf_expr_register_offset(const struct dwarf_expr *expr, uint8_t *reg, int32_t *offset)
{
	struct byte_reader r = reader_over(expr);

	return read_register_offset(&r, reg, offset) && byte_reader_left(&r) == 0 ? 0 : -1;
}

static bool read_literal(struct byte_reader *r, uint32_t *value)
{
	uint8_t op = byte_reader_u8(r);

	*value = (uint32_t)op - DW_OP_lit0;
	return byte_reader_ok(r) && op >= DW_OP_lit0 && op <= DW_OP_lit31;
}

/*
 * Linkers describe a procedure linkage table by one expression: sp + 8, and 8 more once the entry has pushed its number, which
 * the low bits of the pc tell. Entries differ between linkers, so all constants are read:
 *   breg sp+offset; breg pc+0; lit mask; and; lit threshold; ge; lit shift; shl; plus
 */
static bool read_plt(struct byte_reader r, const struct unwind_arch *arch, struct cfa_rule *rule)
{
	uint32_t mask, threshold, shift;
	int32_t sp_offset, pc_offset;
	uint8_t sp, pc;

	if (!read_register_offset(&r, &sp, &sp_offset) || !read_register_offset(&r, &pc, &pc_offset) ||
	    pc != arch->ra || pc_offset != 0 || !read_literal(&r, &mask) || byte_reader_u8(&r) != DW_OP_and ||
	    !read_literal(&r, &threshold) || byte_reader_u8(&r) != DW_OP_ge || !read_literal(&r, &shift) ||
	    byte_reader_u8(&r) != DW_OP_shl || byte_reader_u8(&r) != DW_OP_plus || byte_reader_left(&r) != 0)
		return false;
	*rule = (struct cfa_rule){
		.kind = CFA_PLT,
		.reg = sp,
		.addend = (int16_t)(mask | threshold << 5 | shift << 10),
		.value = sp_offset,
	};
	return true;
}

/* breg; deref [; plus_uconst] */
static bool read_at_register(struct byte_reader r, struct cfa_rule *rule)
{
	int32_t offset;
	uint64_t addend = 0;
	uint8_t reg;

	if (!read_register_offset(&r, &reg, &offset) || byte_reader_u8(&r) != DW_OP_deref)
		return false;
	if (byte_reader_left(&r) != 0) {
		if (byte_reader_u8(&r) != DW_OP_plus_uconst)
			return false;
		addend = leb128_unsigned(&r);
	}
	if (!byte_reader_ok(&r) || byte_reader_left(&r) != 0 || addend > INT16_MAX)
		return false;
	*rule = (struct cfa_rule){
		.kind = CFA_AT_REGISTER, .reg = reg, .addend = (int16_t)addend, .value = offset
	};
	return true;
}

struct cfa_rule dwarf_expr_cfa_rule(const struct dwarf_expr *expr, const struct unwind_arch *arch)
{
	struct cfa_rule rule = { .kind = CFA_REGISTER };

	if (dwarf_expr_register_offset(expr, &rule.reg, &rule.value) == 0 ||
	    read_at_register(reader_over(expr), &rule) || read_plt(reader_over(expr), arch, &rule))
		return rule;
	return (struct cfa_rule){ .kind = CFA_EXPRESSION };
}

/* Skips the operands of an operation that uses no register. Returns false for an unknown operation. */
static bool skip_operands(struct byte_reader *r, uint8_t op, const struct dwarf_expr *expr)
{
	if (is_constant(op))
		(void)constant(r, op, expr);
	else if (op == DW_OP_plus_uconst)
		(void)leb128_unsigned(r);
	else if (op == DW_OP_pick || op == DW_OP_deref_size)
		byte_reader_skip(r, 1);
	else if (op == DW_OP_skip || op == DW_OP_bra)
		byte_reader_skip(r, 2);
	else
		return op <= DW_OP_lit31 || op == DW_OP_nop;
	return true;
}

uint64_t dwarf_expr_registers(const struct dwarf_expr *expr)
{
	struct byte_reader r = reader_over(expr);
	uint64_t used = 0;

	while (byte_reader_left(&r) != 0) {
		struct byte_reader before = r;
		uint8_t reg;
		int32_t offset;

		if (read_register_offset(&r, &reg, &offset)) {
			used |= (uint64_t)1 << reg;
			continue;
		}
		r = before;
		if (!skip_operands(&r, byte_reader_u8(&r), expr) || !byte_reader_ok(&r))
			return UINT64_MAX;
	}
	return used;
}
