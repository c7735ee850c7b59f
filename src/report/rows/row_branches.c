/*
 * Finds the branch of a frame. Marks begin with the latest branch. Each branch has two frames in the stack:
 * its target and, on the outer side, its source. So the rank of a frame among the frames of branches, counted
 * from the root, gives its branch.
 */
#include "report/rows/row_branches.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { MOST_MARKS = 127 }; /* of a sample: BRANCH_HISTORY_MAX */

struct row_branches {
	const struct hist *hist;
	uint16_t *ranks; /* by node of the profile's stacks: number of branch frames from the root to it */
	struct branch_remark *remarks; /* by node of the tree */
	size_t count, capacity;
	uint32_t set; /* the set of keys with these marks */
	struct branch_mark marks[MOST_MARKS];
	size_t mark_count;
};

static bool is_branch(const struct profile *profile, uint32_t stack)
{
	return stack != PROFILE_NONE && profile_stack_at(profile, stack)->origin == FRAME_BRANCH;
}

static uint16_t *find_ranks(const struct profile *profile)
{
	const uint32_t count = profile_stack_count(profile);
	uint16_t *ranks = xmalloc(((size_t)count + 1) * sizeof(*ranks));

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t parent = profile_stack_at(profile, i)->parent;

		ranks[i] = (uint16_t)((parent == PROFILE_NONE ? 0 : ranks[parent]) + is_branch(profile, i));
	}
	return ranks;
}

struct row_branches *row_branches_create(const struct hist *hist)
{
	const struct sample_keys *keys = hist->options.keys;
	struct row_branches *branches;

	if (!keys || !sample_keys_request(keys)->wanted[SAMPLE_KEY_BRANCH_MARKS])
		return NULL;
	branches = xcalloc(1, sizeof(*branches));
	branches->hist = hist;
	branches->ranks = find_ranks(hist->profile);
	return branches;
}

void row_branches_destroy(struct row_branches *branches)
{
	if (!branches)
		return;
	free(branches->ranks);
	free(branches->remarks);
	free(branches);
}

void row_branches_clear(struct row_branches *branches)
{
	branches->count = 0;
}

static struct branch_remark *remark_of(struct row_branches *branches, uint32_t node)
{
	if (node >= branches->count) {
		branches->remarks = array_grow(branches->remarks, &branches->capacity, (size_t)node + 1,
					       sizeof(*branches->remarks));
		memset(branches->remarks + branches->count, 0,
		       (node + 1 - branches->count) * sizeof(*branches->remarks));
		branches->count = (size_t)node + 1;
	}
	return &branches->remarks[node];
}

static void read_marks(struct row_branches *branches, uint32_t set)
{
	if (branches->set == set)
		return;
	branches->set = set;
	branches->mark_count = branch_marks_read(sample_keys_text(branches->hist->options.keys, set,
								  SAMPLE_KEY_BRANCH_MARKS),
						 branches->marks, MOST_MARKS);
}

void row_branches_take(struct row_branches *branches, const struct profile_sample *sample, uint32_t stack,
		       uint32_t node)
{
	size_t from_leaf;

	if (!is_branch(branches->hist->profile, stack))
		return;
	read_marks(branches, sample->keys);
	if (branches->ranks[stack] > 2 * branches->mark_count)
		return;
	from_leaf = 2 * branches->mark_count - branches->ranks[stack];
	if (from_leaf % 2 == 0)
		branch_remark_take_to(remark_of(branches, node), &branches->marks[from_leaf / 2],
				      sample->count);
	else
		branch_remark_take_from(remark_of(branches, node), &branches->marks[from_leaf / 2],
					sample->count);
}

const struct branch_remark *row_branches_at(const struct row_branches *branches, uint32_t node)
{
	return node < branches->count ? &branches->remarks[node] : NULL;
}

uint32_t row_branches_innermost(const struct row_branches *branches, const struct profile_sample *sample)
{
	const struct profile *profile = branches->hist->profile;
	uint32_t caller;

	if (sample->stack == PROFILE_NONE)
		return PROFILE_NONE;
	caller = profile_stack_at(profile, sample->stack)->parent;
	if (is_branch(profile, caller) || (caller == PROFILE_NONE && sample->end == STACK_END_NO_CHAIN))
		return caller;
	return sample->stack;
}
