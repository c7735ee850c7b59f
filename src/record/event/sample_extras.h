#ifndef XPROF_RECORD_SAMPLE_EXTRAS_H
#define XPROF_RECORD_SAMPLE_EXTRAS_H

/* Fields of samples that only options ask for: -d, -W, -R, --phys-data, --user-regs and the like. */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct sample_extras {
	bool address, data_source, physical_address; /* of the data that the event is about */
	bool data_page_size, code_page_size;
	bool weight, transaction; /* which few PMUs know */
	bool raw;
	bool identifier; /* also where one event needs none */
	bool cgroup;
	uint64_t user_registers, interrupt_registers; /* a bit each, as attr.sample_regs_user; 0: none */
};

/* Adds them to a sampler's attr. Registers that go with a stack dump are those already. */
void sample_extras_apply(const struct sample_extras *extras, struct perf_event_attr *attr);

/*
 * "ax,ip" into bits; NULL or "" is all of this machine. -1 with a message that lists what there is.
 */
int sample_registers_parse(uint64_t *registers, const char *text, struct error *err);

#endif
