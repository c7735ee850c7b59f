#ifndef XPROF_REPORT_SCRIPT_SCRIPT_DECODER_H
#define XPROF_REPORT_SCRIPT_SCRIPT_DECODER_H

/*
 * From the records of samples to the samples that are printed: decoded, completed where the rest of their call chain
 * comes later, one for each counter where a sample has read several, filtered, and written.
 */

#include "format/event.h"
#include "report/script/script_filter.h"
#include "report/script/script_losses.h"
#include "report/script/script_writer.h"

struct script_decoder;

/* All of these outlive it. What goes wrong is counted in `losses`. */
struct script_decoder *script_decoder_create(struct script_writer *writer, const struct script_filter *filter,
					     struct script_losses *losses);
void script_decoder_destroy(struct script_decoder *decoder);

/* A PERF_RECORD_SAMPLE; the writer's places and what else it asks have to be there. `state_time_ns`: what processes are asked with. */
void script_decoder_take(struct script_decoder *decoder, const struct event *event, uint64_t state_time_ns);

/* A CALLCHAIN_DEFERRED, which the samples of its thread have waited for. */
void script_decoder_take_rest(struct script_decoder *decoder, const struct event *event);

/* No more records come: samples that still wait do without. */
void script_decoder_finish(struct script_decoder *decoder);

#endif
