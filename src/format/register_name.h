#ifndef XPROF_FORMAT_REGISTER_NAME_H
#define XPROF_FORMAT_REGISTER_NAME_H

/* The names of sampled registers: enum perf_event_*_regs of each machine's asm/perf_regs.h, as perf writes them. */

/*
 * `arch` is what HEADER_ARCH says ("x86_64", "aarch64", "armv7l"); NULL is taken for this machine's.
 * NULL when the machine or the register is not known. Static.
 */
const char *register_name(const char *arch, unsigned int reg);

#endif
