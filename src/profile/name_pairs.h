#ifndef XPROF_PROFILE_NAME_PAIRS_H
#define XPROF_PROFILE_NAME_PAIRS_H

/*
 * Programs and libraries that are called otherwise in the later of two profiles, as the user says, or found: where
 * either profile has one name with much weight that the other has not, it is taken for the same thing.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/hash_table.h"

enum { COMM_SIZE = 16 }; /* TASK_COMM_LEN, linux/sched.h: what the kernel keeps of a command's name */

struct name_pair {
	char *before, *after;
	char comm_before[COMM_SIZE], comm_after[COMM_SIZE];
	bool found; /* not said by the user */
};

struct name_pairs {
	struct name_pair *list;
	size_t count, capacity;
};

/* "OLD=NEW" */
int name_pairs_parse(struct name_pairs *pairs, const char *text, struct error *err);
void name_pairs_fini(struct name_pairs *pairs);

/*
 * The earlier name of what is called `name` later, or the other way round; `name` itself where there is no pair.
 * `pairs` may be NULL.
 */
const char *name_pairs_before(const struct name_pairs *pairs, const char *name);
const char *name_pairs_after(const struct name_pairs *pairs, const char *name);
/* The same of commands, of whose names the first 15 characters are known. */
const char *name_pairs_comm_before(const struct name_pairs *pairs, const char *name);
const char *name_pairs_comm_after(const struct name_pairs *pairs, const char *name);

struct named_weight {
	const char *name;
	double part; /* of everything: 0 to 1 */
};

/* All zeros: there are none. */
struct named_weights {
	struct named_weight *list;
	size_t count, capacity;
	struct hash_table by_name;
};

/* Adds to the weight of that name, which has to live as long as the list. */
void named_weights_add(struct named_weights *weights, const char *name, double part);
void named_weights_fini(struct named_weights *weights);

/* Adds a pair if each list has exactly one name with a twentieth of everything that the other has not. */
void name_pairs_find(struct name_pairs *pairs, const struct named_weights *before,
		     const struct named_weights *after);

#endif
