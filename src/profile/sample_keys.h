#ifndef XPROF_PROFILE_SAMPLE_KEYS_H
#define XPROF_PROFILE_SAMPLE_KEYS_H

/*
 * Keys by which a table may distinguish samples besides event, thread, CPU and stack: their times, weights,
 * addresses, the fields of tracepoints. Few reports ask for any, so a profile's samples have the number of a
 * set of keys instead of room for all: a set has a text for each key that was asked for, and equal sets have
 * one number.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum { SAMPLE_KEY_MAX_FIELDS = 24 }; /* of tracepoints, in one report */

enum sample_key {
	SAMPLE_KEY_TIME,
	SAMPLE_KEY_TRACE,
	SAMPLE_KEY_LOCAL_WEIGHT,
	SAMPLE_KEY_WEIGHT,
	SAMPLE_KEY_LOCAL_INS_LAT,
	SAMPLE_KEY_INS_LAT,
	SAMPLE_KEY_LOCAL_P_STAGE_CYC,
	SAMPLE_KEY_P_STAGE_CYC,
	SAMPLE_KEY_LOCAL_RETIRE_LAT,
	SAMPLE_KEY_RETIRE_LAT,
	SAMPLE_KEY_TRANSACTION,
	SAMPLE_KEY_CODE_PAGE_SIZE,
	SAMPLE_KEY_DATA_PAGE_SIZE,
	SAMPLE_KEY_PHYS_DADDR,
	SAMPLE_KEY_MEM,
	SAMPLE_KEY_SNOOP,
	SAMPLE_KEY_TLB,
	SAMPLE_KEY_LOCKED,
	SAMPLE_KEY_BLOCKED,
	SAMPLE_KEY_SYMBOL_DADDR,
	SAMPLE_KEY_DSO_DADDR,
	SAMPLE_KEY_SOCKET,
	SAMPLE_KEY_COMM_NODIGIT,
	SAMPLE_KEY_STATE, /* of time off the CPU, to SAMPLE_KEY_WAIT_TIME */
	SAMPLE_KEY_WAIT,
	SAMPLE_KEY_WAKER,
	SAMPLE_KEY_WAIT_TIME,
	SAMPLE_KEY_SYMBOL_FROM, /* from here on of a sample that is one branch: report/load/branch_samples.h */
	SAMPLE_KEY_SYMBOL_TO,
	SAMPLE_KEY_DSO_FROM,
	SAMPLE_KEY_DSO_TO,
	SAMPLE_KEY_ADDR_FROM,
	SAMPLE_KEY_ADDR_TO,
	SAMPLE_KEY_SRCLINE_FROM,
	SAMPLE_KEY_SRCLINE_TO,
	SAMPLE_KEY_MISPREDICT,
	SAMPLE_KEY_IN_TX,
	SAMPLE_KEY_ABORT,
	SAMPLE_KEY_CYCLES,
	SAMPLE_KEY_BRANCH_MARKS, /* of no column, and no part of groups: see branch_marks.h */
	SAMPLE_KEY_FIELD,        /* the first of the tracepoints' fields */
	SAMPLE_KEY_COUNT = SAMPLE_KEY_FIELD + SAMPLE_KEY_MAX_FIELDS,
};

/* The field, and the tracepoints, of a SAMPLE_KEY_FIELD. Texts are borrowed from the command line. */
struct sample_key_field {
	char event[64]; /* a part of the event's name; "": of all that have the field */
	char name[64];  /* "": the field `number` of each tracepoint */
	uint32_t number;
	bool raw; /* as it is in the sample, not as the kernel's own trace shows it */
};

struct sample_key_request {
	bool wanted[SAMPLE_KEY_COUNT];
	struct sample_key_field fields[SAMPLE_KEY_MAX_FIELDS];
	uint64_t time_quantum_ns;
	bool nanoseconds; /* times are written with nine digits */
	bool raw_trace;
	bool only_waits; /* samples of other events than time off the CPU have no set */
};

static inline bool sample_key_is_of_branch(enum sample_key key)
{
	return key >= SAMPLE_KEY_SYMBOL_FROM && key <= SAMPLE_KEY_CYCLES;
}

static inline bool sample_key_is_of_trace(enum sample_key key)
{
	return key == SAMPLE_KEY_TRACE || key >= SAMPLE_KEY_FIELD;
}

struct sample_keys;

struct sample_keys *sample_keys_create(const struct sample_key_request *request);
void sample_keys_destroy(struct sample_keys *keys);
void sample_keys_clear(struct sample_keys *keys); /* as it was created */

const struct sample_key_request *sample_keys_request(const struct sample_keys *keys);

/* The number of the set, from 1 on; 0 stands for no set. `texts` by key, NULL for the empty text; only wanted ones count. */
uint32_t sample_keys_add(struct sample_keys *keys, const char *const texts[SAMPLE_KEY_COUNT]);
uint32_t sample_keys_count(const struct sample_keys *keys); /* the greatest number */

/* Replaces a text of a set. Sets that have become equal keep their numbers: see sample_keys_group(). */
void sample_keys_set(struct sample_keys *keys, uint32_t set, enum sample_key key, const char *text);
/* After the last addition and replacement: works out the groups. */
void sample_keys_finish(struct sample_keys *keys);

/* The smallest number of the sets that are equal to this one but for their marks of branches; 0 for 0. */
uint32_t sample_keys_group(const struct sample_keys *keys, uint32_t set);

/* "" where it has none. Valid until the text is replaced, or as long as the keys. */
const char *sample_keys_text(const struct sample_keys *keys, uint32_t set, enum sample_key key);

/* The name of a field in the samples of an event; NULL: they have no such field. */
void sample_keys_name_field(struct sample_keys *keys, uint32_t event, enum sample_key key, const char *name);
const char *sample_keys_field_name(const struct sample_keys *keys, uint32_t event, enum sample_key key);

#endif
