#ifndef XPROF_RECORD_UNSAMPLED_MAPS_H
#define XPROF_RECORD_UNSAMPLED_MAPS_H

/*
 * Leaves out the mappings of processes that began and ended between two flushes without a sample, because no reader will look
 * for their code. On a machine that begins many programs these are most of the mappings, and mappings are half of a file at
 * low rates. Other records of such processes stay.
 *
 *	flush          flush
 *	  | F M M M E    |         left out: FORK, mappings, EXIT, no sample, no child
 *	  | F M M S M E  |         kept: S may need each mapping
 *	  | F M M f E    |         kept: the child inherits the mappings
 *	  |   F M M M    |  E      kept: a sample may follow
 */

#include <stddef.h>
#include <stdint.h>

#include "record/ring_buffer.h"

struct unsampled_maps;

/* `time_offset`: of the time in samples, which follows pid and tid. The rings are not owned. */
struct unsampled_maps *unsampled_maps_create(const struct ring_buffer *rings, size_t ring_count,
					     size_t time_offset);
/* May be NULL. */
void unsampled_maps_destroy(struct unsampled_maps *maps);

/* Call it when all rings were read once. */
void unsampled_maps_end_round(struct unsampled_maps *maps);

/*
 * Removes such mappings from whole records, which were read from the rings since the last call, and returns the size of the rest.
 * Samples that are still in the rings count, and so do those of the last calls: rings are read one after the other, so a sample may
 * come before or after the other records of its process.
 */
size_t unsampled_maps_remove(struct unsampled_maps *maps, uint8_t *records, size_t size);

#endif
