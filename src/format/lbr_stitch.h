#ifndef XPROF_FORMAT_LBR_STITCH_H
#define XPROF_FORMAT_LBR_STITCH_H

/*
 * --stitch-lbr: the CPU's call stack of a sample holds only the innermost calls of a deep stack. If the outermost of them is in
 * the same register, with the same contents, as in the previous sample of the thread, then the outer calls of that sample have
 * most likely not returned yet either, and are appended. Needs the register number of the latest call in each sample (hw_index,
 * Linux 5.7), and the number of registers, from the file's header. The rule is that of perf: has_stitched_lbr(),
 * tools/perf/util/machine.c.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/byte_reader.h"
#include "format/sample.h"

struct lbr_stitch;

/* `registers`: how many calls the CPU keeps. */
struct lbr_stitch *lbr_stitch_create(size_t registers);
void lbr_stitch_destroy(struct lbr_stitch *stitch);

/*
 * Adds the next sample with calls; the samples of each thread must come in order of time. Returns the number of outer calls that
 * continue this sample's stack, and sets *calls to the addresses of their call instructions, the innermost first, valid until
 * the next call.
 */
size_t lbr_stitch_add(struct lbr_stitch *stitch, const struct sample *sample, const uint64_t **calls);

/* Reads the number of registers from HEADER_CPU_PMU_CAPS or HEADER_PMU_CAPS. Returns 0 if neither has it. */
size_t lbr_stitch_registers(struct byte_reader cpu_caps, struct byte_reader pmu_caps);

#endif
