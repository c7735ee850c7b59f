#ifndef XPROF_RECORD_SAMPLE_EXTRAS_H
#define XPROF_RECORD_SAMPLE_EXTRAS_H

/* Fields of samples that have an option each: -d, -W, -R, --phys-data, --user-regs and the like. */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct sample_extras {
	bool address, data_source, physical_address; /* of the data that the event is about */
	bool data_page_size, code_page_size;
	bool weight, transaction; /* supported by few PMUs */
	bool raw;
	bool identifier; /* ids even if there is only one event */
	bool cgroup;
	/* a bit per register, as attr.sample_regs_user; 0: none */
	uint64_t user_registers, interrupt_registers;
};

/* Adds the fields to a sampler's attr. The registers of a stack dump stay. */
void sample_extras_apply(const struct sample_extras *extras, struct perf_event_attr *attr);

/*
 * Parses "ax,ip" into bits; NULL or "" means all registers of this machine. Returns 0, or -1 with err, which
 * lists the names.
 */
int sample_registers_parse(uint64_t *registers, const char *text, struct error *err);

#endif
