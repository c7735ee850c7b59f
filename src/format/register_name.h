#ifndef XPROF_FORMAT_REGISTER_NAME_H
#define XPROF_FORMAT_REGISTER_NAME_H

/* The names of sampled registers: enum perf_event_*_regs of each machine's asm/perf_regs.h, as perf writes them. */

/*
 * `arch` is the value of HEADER_ARCH ("x86_64", "aarch64", "armv7l"); NULL means this machine. Returns NULL
 * if the machine or the register is unknown. Static.
 */
const char *register_name(const char *arch, unsigned int reg);

#endif
