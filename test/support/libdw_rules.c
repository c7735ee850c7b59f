#include "support/libdw_rules.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/rule_text.h"

struct oracle {
	struct libdw_comparison *comparison;
	const struct unwind_arch *arch;
	int fd;
	Elf *elf;
	Dwarf_CFI *cfi;
};

static bool is_register(const Dwarf_Op *op, uint64_t *reg, int64_t *offset)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		*reg = op->atom - (uint64_t)DW_OP_breg0;
		*offset = (int64_t)op->number;
		return true;
	}
	*reg = op->number;
	*offset = (int64_t)op->number2;
	return op->atom == DW_OP_bregx;
}

static uint64_t literal(const Dwarf_Op *op)
{
	return op->atom - (uint64_t)DW_OP_lit0;
}

/* The form in which both sides write a CFA. */
static void write_cfa(char *text, const Dwarf_Op *ops, size_t count)
{
	uint64_t reg, pc;
	int64_t offset, zero;

	if (count == 1 && is_register(ops, &reg, &offset))
		snprintf(text, RULE_TEXT_BYTES, "r%" PRIu64 "%+" PRId64, reg, offset);
	else if (count >= 2 && count <= 3 && is_register(ops, &reg, &offset) && ops[1].atom == DW_OP_deref &&
		 (count == 2 || ops[2].atom == DW_OP_plus_uconst))
		snprintf(text, RULE_TEXT_BYTES, "*(r%" PRIu64 "%+" PRId64 ")%+" PRId64, reg, offset,
			 count == 3 ? (int64_t)ops[2].number : 0);
	else if (count == 9 && is_register(ops, &reg, &offset) && is_register(ops + 1, &pc, &zero))
		snprintf(text, RULE_TEXT_BYTES,
			 "r%" PRIu64 "%+" PRId64 "+((pc&%" PRIu64 ")>=%" PRIu64 ")<<%" PRIu64, reg, offset,
			 literal(ops + 2), literal(ops + 4), literal(ops + 6));
	else
		snprintf(text, RULE_TEXT_BYTES, "expression");
}

/* libdw puts DW_OP_call_frame_cfa before expressions, and DW_OP_stack_value after values. */
static void write_register(char *text, const Dwarf_Op *ops, size_t count, const Dwarf_Op *room)
{
	bool is_value = count && ops[count - 1].atom == DW_OP_stack_value;
	const char *open = is_value ? "" : "*(", *close = is_value ? "" : ")";
	uint64_t reg;
	int64_t offset;

	count -= is_value;
	if (count == 0) {
		snprintf(text, RULE_TEXT_BYTES, ops == room ? "undefined" : "same");
		return;
	}
	if (count == 1 && ops->atom == DW_OP_regx) {
		snprintf(text, RULE_TEXT_BYTES, "r%" PRIu64 "+0", ops->number);
		return;
	}
	if (count == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31) {
		snprintf(text, RULE_TEXT_BYTES, "r%d+0", ops->atom - DW_OP_reg0);
		return;
	}
	if (ops->atom == DW_OP_call_frame_cfa &&
	    (count == 1 || (count == 2 && ops[1].atom == DW_OP_plus_uconst)))
		snprintf(text, RULE_TEXT_BYTES, "%scfa%+" PRId64 "%s", open,
			 count == 2 ? (int64_t)ops[1].number : 0, close);
	else if (count == 2 && ops->atom == DW_OP_call_frame_cfa && is_register(ops + 1, &reg, &offset))
		snprintf(text, RULE_TEXT_BYTES, "%sr%" PRIu64 "%+" PRId64 "%s", open, reg, offset, close);
	else
		snprintf(text, RULE_TEXT_BYTES, "%sexpression%s", open, close);
}

static void differ(struct oracle *oracle, uint64_t vaddr, const char *what, const char *ours,
		   const char *libdw)
{
	struct libdw_comparison *comparison = oracle->comparison;

	if (comparison->different++ == 0)
		snprintf(comparison->first_difference, sizeof(comparison->first_difference),
			 "%s: %#" PRIx64 ": %s is %.150s, libdw says %.150s", comparison->path, vaddr, what,
			 ours, libdw);
}

static bool compare_cfa(struct oracle *oracle, uint64_t vaddr, const struct unwind_rule *rule,
			Dwarf_Frame *frame)
{
	char ours[RULE_TEXT_BYTES], libdw[RULE_TEXT_BYTES];
	size_t count;
	Dwarf_Op *ops;

	if (dwarf_frame_cfa(frame, &ops, &count) != 0)
		return false;
	write_cfa(libdw, ops, count);
	rule_text_cfa(ours, &rule->cfa);
	oracle->comparison->expressions += strcmp(ours, "expression") == 0;
	if (strcmp(ours, libdw) == 0)
		return true;
	differ(oracle, vaddr, "CFA", ours, libdw);
	return false;
}

static bool compare_register(struct oracle *oracle, uint64_t vaddr, const struct unwind_rule *rule,
			     Dwarf_Frame *frame, uint8_t column)
{
	char ours[RULE_TEXT_BYTES], libdw[RULE_TEXT_BYTES], name[16];
	struct register_rule own = rule_text_find(oracle->arch, rule, column);
	Dwarf_Op room[3], *ops;
	size_t count;

	if (dwarf_frame_register(frame, column, room, &ops, &count) != 0)
		return false;
	write_register(libdw, ops, count, room);
	rule_text_register(ours, oracle->arch, &own);
	oracle->comparison->expressions += strstr(ours, "expression") != NULL;
	/* If the CFI says nothing, libdw answers from its own table of the ABI. */
	if (strcmp(ours, "unspecified") == 0 &&
	    (strcmp(libdw, "same") == 0 || strcmp(libdw, "undefined") == 0))
		return true;
	if (strcmp(ours, libdw) == 0)
		return true;
	snprintf(name, sizeof(name), "r%d", column);
	differ(oracle, vaddr, name, ours, libdw);
	return false;
}

static void compare_rule(struct oracle *oracle, uint64_t vaddr, const struct unwind_rule *rule)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr start, end;
	bool signal = false;
	int ra;

	if (dwarf_cfi_addrframe(oracle->cfi, vaddr, &frame) != 0) {
		if (rule->path != PATH_NO_CFI)
			differ(oracle, vaddr, "a rule", "there", dwarf_errmsg(-1));
		return;
	}
	ra = dwarf_frame_info(frame, &start, &end, &signal);
	if (ra != rule->ra.column || signal != rule->signal_frame)
		differ(oracle, vaddr, "signal frame or return column", "other", "other");
	else if (compare_cfa(oracle, vaddr, rule, frame))
		for (uint8_t column = 0; column < oracle->arch->register_count; column++)
			if (!compare_register(oracle, vaddr, rule, frame, column))
				break;
	free(frame);
}

static void visit(void *context, uint64_t start, uint64_t end, const struct unwind_rule *rule)
{
	struct oracle *oracle = context;

	(void)end;
	if (oracle->comparison->row_count++ % oracle->comparison->stride != 0)
		return;
	oracle->comparison->compared++;
	compare_rule(oracle, start, rule);
}

static int open_oracle(struct oracle *oracle)
{
	oracle->fd = open(oracle->comparison->path, O_RDONLY | O_CLOEXEC);
	elf_version(EV_CURRENT);
	oracle->elf = oracle->fd < 0 ? NULL : elf_begin(oracle->fd, ELF_C_READ_MMAP, NULL);
	oracle->cfi = oracle->elf ? dwarf_getcfi_elf(oracle->elf) : NULL;
	return oracle->cfi ? 0 : -1;
}

static void close_oracle(struct oracle *oracle)
{
	if (oracle->cfi)
		dwarf_cfi_end(oracle->cfi);
	if (oracle->elf)
		elf_end(oracle->elf);
	if (oracle->fd >= 0)
		close(oracle->fd);
}

int libdw_rules_compare(struct libdw_comparison *comparison)
{
	struct oracle oracle = { .comparison = comparison };
	struct error err;
	struct elf_file *file = elf_file_open(comparison->path, &err);
	struct module *module = file ? module_create(0, file, NULL, &err) : NULL;
	int result = module ? open_oracle(&oracle) : -1;

	if (result == 0) {
		oracle.arch = module_arch(module);
		module_visit_rows(module, visit, &oracle);
	} else {
		snprintf(comparison->first_difference, sizeof(comparison->first_difference), "cannot read %s",
			 comparison->path);
	}
	if (module)
		close_oracle(&oracle);
	module_destroy(module);
	return result;
}
