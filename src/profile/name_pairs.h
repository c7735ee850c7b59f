#ifndef XPROF_PROFILE_NAME_PAIRS_H
#define XPROF_PROFILE_NAME_PAIRS_H

/*
 * Programs and libraries that have another name in the later of two profiles. The user names such pairs, or they
 * are found: if each profile has exactly one name with much weight that the other lacks, the two are regarded as
 * the same.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/hash_table.h"

enum { COMM_SIZE = 16 }; /* TASK_COMM_LEN, linux/sched.h: what the kernel keeps of a command's name */

struct name_pair {
	char *before, *after;
	char comm_before[COMM_SIZE], comm_after[COMM_SIZE];
	bool found; /* found, not named by the user */
};

struct name_pairs {
	struct name_pair *list;
	size_t count, capacity;
};

/* Adds the pair "OLD=NEW". Returns -1 with err set if `text` is not one. */
int name_pairs_parse(struct name_pairs *pairs, const char *text, struct error *err);
void name_pairs_fini(struct name_pairs *pairs);

/*
 * The earlier name for the later name `name`, and the other way round; `name` itself if it is in no pair.
 * `pairs` may be NULL.
 */
const char *name_pairs_before(const struct name_pairs *pairs, const char *name);
const char *name_pairs_after(const struct name_pairs *pairs, const char *name);
/* The same for names of commands, of which only the first 15 characters are known. */
const char *name_pairs_comm_before(const struct name_pairs *pairs, const char *name);
const char *name_pairs_comm_after(const struct name_pairs *pairs, const char *name);

struct named_weight {
	const char *name;
	double part; /* share of all samples: 0 to 1 */
};

/* All zeros: empty. */
struct named_weights {
	struct named_weight *list;
	size_t count, capacity;
	struct hash_table by_name;
};

/* Adds to the weight of that name. `name` is borrowed and must live as long as the list. */
void named_weights_add(struct named_weights *weights, const char *name, double part);
void named_weights_fini(struct named_weights *weights);

/* Adds a pair if each list has exactly one name with at least 5% of all samples that the other lacks. */
void name_pairs_find(struct name_pairs *pairs, const struct named_weights *before,
		     const struct named_weights *after);

#endif
