/* Three tables, indexed by the numbers of linux/perf_event.h. */
#include "text/branch_type_text.h"

static const char *const names[] = {
	"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
	"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
};

static const char *const new_names[] = {
	"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5",
};

static const char *const speculation_names[] = { "", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH",
						 "SPEC_CORRECT_PATH" };

const char *branch_type_text(uint8_t type)
{
	return type < sizeof(names) / sizeof(names[0]) ? names[type] : "";
}

const char *branch_new_type_text(uint8_t new_type)
{
	return new_type < sizeof(new_names) / sizeof(new_names[0]) ? new_names[new_type] : "";
}

const char *branch_speculation_text(uint8_t speculation)
{
	return speculation < sizeof(speculation_names) / sizeof(speculation_names[0]) ?
		       speculation_names[speculation] :
		       "";
}
