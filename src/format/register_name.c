/*
 * One array of names for each machine, indexed by perf's register number. An XMM register has two entries, since perf samples
 * its halves.
 */
#include "format/register_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/utsname.h>

static const char *const x86_names[64] = {
	"AX",    "BX",    "CX",    "DX",    "SI",    "DI",    "BP",    "SP",    "IP",    "FLAGS", "CS",
	"SS",    "DS",    "ES",    "FS",    "GS",    "R8",    "R9",    "R10",   "R11",   "R12",   "R13",
	"R14",   "R15",   NULL,    NULL,    NULL,    NULL,    NULL,    NULL,    NULL,    NULL,    "XMM0",
	"XMM0",  "XMM1",  "XMM1",  "XMM2",  "XMM2",  "XMM3",  "XMM3",  "XMM4",  "XMM4",  "XMM5",  "XMM5",
	"XMM6",  "XMM6",  "XMM7",  "XMM7",  "XMM8",  "XMM8",  "XMM9",  "XMM9",  "XMM10", "XMM10", "XMM11",
	"XMM11", "XMM12", "XMM12", "XMM13", "XMM13", "XMM14", "XMM14", "XMM15", "XMM15",
};

static const char *const arm64_names[64] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",        "x10", "x11",
	"x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",       "x22", "x23",
	"x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc",  [46] = "vg",
};

static const char *const arm_names[64] = {
	"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "fp", "ip", "sp", "lr", "pc",
};

static const char *const riscv_names[64] = {
	"pc", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
	"a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool is_x86(const char *arch)
{
	return starts_with(arch, "x86") || (arch[0] == 'i' && strcmp(arch + 2, "86") == 0);
}

static const char *const *names_of(const char *arch)
{
	if (starts_with(arch, "aarch64") || starts_with(arch, "arm64"))
		return arm64_names;
	if (starts_with(arch, "arm"))
		return arm_names;
	if (starts_with(arch, "riscv"))
		return riscv_names;
	return arch[0] && arch[1] && is_x86(arch) ? x86_names : NULL;
}

const char *register_name(const char *arch, unsigned int reg)
{
	struct utsname machine;
	const char *const *names;

	if (!arch && uname(&machine) == 0)
		arch = machine.machine;
	names = arch ? names_of(arch) : NULL;
	return names && reg < 64 ? names[reg] : NULL;
}
