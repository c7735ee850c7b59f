#include "record/call_graph.h"

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
	call_graph->stack_dump_bytes = (uint32_t)((size_bytes + 7) & ~UINT64_C(7));
	return 0;
}

int call_graph_parse(struct call_graph *call_graph, const char *text, struct error *err)
{
	*call_graph = (struct call_graph){ .mode = CALL_GRAPH_FP };
	if (strcmp(text, "fp") == 0)
		return 0;
	if (strcmp(text, "dwarf") != 0 && strncmp(text, "dwarf,", strlen("dwarf,")) != 0)
		return error_set(err, "'%s' is neither fp nor dwarf[,BYTES]", text);
	if (call_graph_user_regs() == 0)
		return error_set(err, "dwarf: the registers of this machine are not known; use fp");
	call_graph->mode = CALL_GRAPH_DWARF;
	call_graph->stack_dump_bytes = STACK_DUMP_DEFAULT_BYTES;
	return text[strlen("dwarf")] ? parse_dump_size(call_graph, text + strlen("dwarf,"), err) : 0;
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
