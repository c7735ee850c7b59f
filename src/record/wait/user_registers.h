#ifndef XPROF_RECORD_WAIT_USER_REGISTERS_H
#define XPROF_RECORD_WAIT_USER_REGISTERS_H

/* Converts the kernel's struct pt_regs of this machine to the registers of a sample. */

#include <stdint.h>

#include "base/strbuf.h"

/* Appends the ABI, and a register for each bit of `mask` (attr.sample_regs_user). `registers` has the words of struct pt_regs. */
void user_registers_add(struct strbuf *record, const uint64_t *registers, uint64_t mask);

#endif
