#ifndef XPROF_FORMAT_LBR_STITCH_H
#define XPROF_FORMAT_LBR_STITCH_H

/*
 * --stitch-lbr: the CPU's call stack of a sample holds only the innermost calls of a deep stack. If the outermost of them is in
 * the same register with the same content as in the thread's sample before, the calls that lay beyond it then have most likely
 * not returned either, and go on behind it. Needs the register of the latest call in each sample (hw_index, Linux 5.7), and
 * the number of registers, which the header has. The rule is that of perf: has_stitched_lbr(), tools/perf/util/machine.c.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/byte_reader.h"
#include "format/sample.h"

struct lbr_stitch;

/* `registers`: how many calls the CPU keeps. */
struct lbr_stitch *lbr_stitch_create(size_t registers);
void lbr_stitch_destroy(struct lbr_stitch *stitch);

/*
 * Takes the samples with calls in the order of their threads' time. The number of calls that lie beyond those of this one: their
 * instructions are in `*calls`, the innermost first, valid until the next sample.
 */
size_t lbr_stitch_add(struct lbr_stitch *stitch, const struct sample *sample, const uint64_t **calls);

/* The number of registers, from the bytes of HEADER_CPU_PMU_CAPS and HEADER_PMU_CAPS; 0: neither says it. */
size_t lbr_stitch_registers(struct byte_reader cpu_caps, struct byte_reader pmu_caps);

#endif
