/*
 * Parses the argument of --call-graph. Only the two functions at the end depend on the machine. If its
 * registers are not known, call_graph_parse() accepts fp alone.
 */
#include "record/event/call_graph.h"

#include <elf.h>
#include <string.h>

#include "cli/option.h"

static int parse_dump_size(struct call_graph *call_graph, const char *text, struct error *err)
{
	uint64_t size_bytes;

	if (option_parse_size(text, &size_bytes, err) < 0)
		return -1;
	if (size_bytes == 0)
		return error_set(err, "a stack dump of 0 bytes holds no stack; use fp instead");
	if (size_bytes > STACK_DUMP_MAX_BYTES) {
		call_graph->asked_bytes = size_bytes;
		size_bytes = STACK_DUMP_MAX_BYTES;
	}
	call_graph->size_given = true;
	call_graph->stack_dump_bytes = (uint32_t)((size_bytes + 7) & ~UINT64_C(7));
	return 0;
}

struct call_graph_mode_name {
	const char *name;
	enum call_graph_mode mode;
};

static const struct call_graph_mode_name modes_with_dumps[] = {
	{ "auto", CALL_GRAPH_AUTO },
	{ "dwarf", CALL_GRAPH_DWARF },
};

int call_graph_parse(struct call_graph *call_graph, const char *text, struct error *err)
{
	size_t length = strcspn(text, ",");

	*call_graph = (struct call_graph){ .mode = CALL_GRAPH_FP };
	if (strcmp(text, "fp") == 0)
		return 0;
	for (size_t i = 0; i < sizeof(modes_with_dumps) / sizeof(modes_with_dumps[0]); i++)
		if (strlen(modes_with_dumps[i].name) == length &&
		    strncmp(text, modes_with_dumps[i].name, length) == 0)
			call_graph->mode = modes_with_dumps[i].mode;
	if (strcmp(text, "lbr") == 0) {
		call_graph->mode = CALL_GRAPH_LBR;
		return 0;
	}
	if (strcmp(text, "fp,defer") == 0) {
		call_graph->defer = true;
		return 0;
	}
	if (call_graph->mode == CALL_GRAPH_FP)
		return error_set(err, "'%s' is neither auto[,BYTES] nor fp[,defer] nor lbr nor dwarf[,BYTES]",
				 text);
	if (call_graph_user_regs() == 0)
		return error_set(err,
				 "%.*s: not supported on this machine, whose registers xprof does not "
				 "know; use fp",
				 (int)length, text);
	call_graph->stack_dump_bytes = STACK_DUMP_DEFAULT_BYTES;
	return text[length] ? parse_dump_size(call_graph, text + length + 1, err) : 0;
}

struct call_graph call_graph_best(void)
{
	struct call_graph best = { .mode = CALL_GRAPH_FP };

	if (call_graph_user_regs() != 0)
		best = (struct call_graph){ .mode = CALL_GRAPH_AUTO,
					    .stack_dump_bytes = STACK_DUMP_DEFAULT_BYTES };
	return best;
}

uint16_t call_graph_elf_machine(void)
{
#if defined(__x86_64__)
	return EM_X86_64;
#elif defined(__aarch64__)
	return EM_AARCH64;
#elif defined(__riscv)
	return EM_RISCV;
#else
	return EM_NONE;
#endif
}

uint64_t call_graph_user_regs(void)
{
#if defined(__x86_64__)
	/* AX to SS (0 to 11) and R8 to R15 (16 to 23); the kernel refuses DS, ES, FS and GS on 64 bits. */
	return 0xff0fff;
#elif defined(__aarch64__)
	return (UINT64_C(1) << 33) - 1; /* X0 to X29, LR, SP, PC */
#elif defined(__riscv) && __riscv_xlen == 64
	return (UINT64_C(1) << 32) - 1; /* PC, RA, SP … T6 */
#else
	return 0;
#endif
}
