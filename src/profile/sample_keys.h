#ifndef XPROF_PROFILE_SAMPLE_KEYS_H
#define XPROF_PROFILE_SAMPLE_KEYS_H

/*
 * Keys by which a table may distinguish samples besides event, thread, CPU and stack: times, weights,
 * addresses, fields of tracepoints. Few reports need any, so a sample has no room for all of them, but the
 * number of a set of texts, one for each requested key. Equal sets have one number.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

enum { SAMPLE_KEY_MAX_FIELDS = 24 }; /* fields of tracepoints in one report */

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
	SAMPLE_KEY_STATE, /* this and the next three: of off-CPU samples */
	SAMPLE_KEY_WAIT,
	SAMPLE_KEY_WAKER,
	SAMPLE_KEY_WAIT_TIME,
	SAMPLE_KEY_SYMBOL_FROM, /* from here to SAMPLE_KEY_CYCLES: of a sample that is one branch, see
				   report/load/branch_samples.h */
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
	SAMPLE_KEY_BRANCH_MARKS, /* not a column, and ignored by sample_keys_group(): see branch_marks.h */
	SAMPLE_KEY_FIELD,        /* the first field of tracepoints */
	SAMPLE_KEY_COUNT = SAMPLE_KEY_FIELD + SAMPLE_KEY_MAX_FIELDS,
};

/* The tracepoint's field for a SAMPLE_KEY_FIELD. */
struct sample_key_field {
	char event[64]; /* a part of the event's name; "": all events with that field */
	char name[64];  /* "": field number `number` of each tracepoint */
	uint32_t number;
	bool raw; /* show the raw value, not the text of the kernel's own trace */
};

struct sample_key_request {
	bool wanted[SAMPLE_KEY_COUNT];
	struct sample_key_field fields[SAMPLE_KEY_MAX_FIELDS];
	uint64_t time_quantum_ns;
	bool nanoseconds; /* times are written with nine digits */
	bool raw_trace;
	bool only_waits; /* only off-CPU samples have sets */
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
void sample_keys_clear(struct sample_keys *keys); /* removes all sets */

const struct sample_key_request *sample_keys_request(const struct sample_keys *keys);

/*
 * Adds a set, unless there is an equal one, and returns its number, from 1; 0 stands for no set. `texts` is indexed by key,
 * NULL means ""; texts of other keys than the wanted ones are ignored.
 */
uint32_t sample_keys_add(struct sample_keys *keys, const char *const texts[SAMPLE_KEY_COUNT]);
uint32_t sample_keys_count(const struct sample_keys *keys); /* the largest number */

/* Replaces a text of a set. Sets that become equal keep different numbers: see sample_keys_group(). */
void sample_keys_set(struct sample_keys *keys, uint32_t set, enum sample_key key, const char *text);
/* Computes the groups. Call it after the last addition and replacement. */
void sample_keys_finish(struct sample_keys *keys);

/* The smallest number of the sets that equal this one, ignoring SAMPLE_KEY_BRANCH_MARKS; 0 for 0. */
uint32_t sample_keys_group(const struct sample_keys *keys, uint32_t set);

/* "" if it has none. Valid until the text is replaced, otherwise as long as `keys`. */
const char *sample_keys_text(const struct sample_keys *keys, uint32_t set, enum sample_key key);

/* Set and get the name of a field in the samples of an event; NULL: they have no such field. */
void sample_keys_name_field(struct sample_keys *keys, uint32_t event, enum sample_key key, const char *name);
const char *sample_keys_field_name(const struct sample_keys *keys, uint32_t event, enum sample_key key);

#endif
