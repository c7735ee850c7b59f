/* Open addressing with linear probing, at most half full; it grows by four and is cleared at its largest size. */
#include "unwind/rule_memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static void allocate(struct rule_memo *memo, size_t count)
{
	memo->entries = xcalloc_written(count, sizeof(*memo->entries));
	memo->mask = count - 1;
	memo->used = 0;
}

void rule_memo_init(struct rule_memo *memo)
{
	allocate(memo, RULE_MEMO_MIN_ENTRIES);
}

void rule_memo_fini(struct rule_memo *memo)
{
	free(memo->entries);
	memo->entries = NULL;
}

static void insert(struct rule_memo *memo, uint64_t key, const struct unwind_rule *rule)
{
	size_t i = rule_memo_place(memo, key);

	while (memo->entries[i].rule)
		i = (i + 1) & memo->mask;
	memo->entries[i] = (struct rule_memo_entry){ key, rule };
	memo->used++;
}

static void grow(struct rule_memo *memo)
{
	struct rule_memo_entry *old = memo->entries;
	size_t count = memo->mask + 1;

	allocate(memo, count * 4);
	for (size_t i = 0; i < count; i++)
		if (old[i].rule)
			insert(memo, old[i].key, old[i].rule);
	free(old);
}

void rule_memo_put(struct rule_memo *memo, uint64_t key, const struct unwind_rule *rule)
{
	/* At most half full, so that a miss ends after a short probe. */
	if ((memo->used + 1) * 2 > memo->mask + 1) {
		if (memo->mask + 1 < RULE_MEMO_MAX_ENTRIES) {
			grow(memo);
		} else {
			memset(memo->entries, 0, (memo->mask + 1) * sizeof(*memo->entries));
			memo->used = 0;
		}
	}
	insert(memo, key, rule);
}
