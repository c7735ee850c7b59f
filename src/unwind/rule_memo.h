#ifndef XPROF_UNWIND_RULE_MEMO_H
#define XPROF_UNWIND_RULE_MEMO_H

/*
 * (module, vaddr) -> rule, remembered by one thread for itself: a look-up takes
 * one cache line, most of the time, and no lock. Keys hold no run-time address,
 * so they outlive address-space randomisation, fork, mmap and exec: the number of
 * the module 20 bits (MODULE_MAX_NUMBER), the vaddr 42, the kind of rule 2.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unwind_rule;

struct rule_memo_entry {
	uint64_t key;
	const struct unwind_rule *rule; /* NULL: free */
};

struct rule_memo {
	struct rule_memo_entry *entries;
	size_t mask; /* number of entries less 1, a power of two less 1 */
	size_t used;
};

/* One vaddr has up to one rule of each. */
enum rule_memo_kind {
	RULE_MEMO_INSTRUCTION,
	RULE_MEMO_RETURN_ADDRESS,
	RULE_MEMO_EXIT, /* by what follows up to the return: module_exit_rule() */
};

enum { RULE_MEMO_VADDR_BITS = 42, RULE_MEMO_KIND_BITS = 2 };
enum { RULE_MEMO_MIN_ENTRIES = 1 << 13, RULE_MEMO_MAX_ENTRIES = 1 << 19 }; /* 128 KiB to 8 MiB */

void rule_memo_init(struct rule_memo *memo);
void rule_memo_fini(struct rule_memo *memo);

/* For a key that is not there. A memo that has become too large forgets everything. */
void rule_memo_put(struct rule_memo *memo, uint64_t key, const struct unwind_rule *rule);

/* Does the vaddr fit into a key? Higher ones are not remembered. */
static inline bool rule_memo_takes(uint64_t vaddr)
{
	return vaddr >> RULE_MEMO_VADDR_BITS == 0;
}

static inline uint64_t rule_memo_key_base(uint32_t module_number)
{
	return (uint64_t)module_number << (RULE_MEMO_VADDR_BITS + RULE_MEMO_KIND_BITS);
}

static inline uint64_t rule_memo_key(uint64_t key_base, uint64_t vaddr, enum rule_memo_kind kind)
{
	return key_base | vaddr << RULE_MEMO_KIND_BITS | (uint64_t)kind;
}

static inline enum rule_memo_kind rule_memo_kind_of(bool is_return_address)
{
	return is_return_address ? RULE_MEMO_RETURN_ADDRESS : RULE_MEMO_INSTRUCTION;
}

static inline size_t rule_memo_place(const struct rule_memo *memo, uint64_t key)
{
	return (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) & memo->mask;
}

static inline const struct unwind_rule *rule_memo_find(const struct rule_memo *memo, uint64_t key)
{
	for (size_t i = rule_memo_place(memo, key);; i = (i + 1) & memo->mask) {
		const struct rule_memo_entry *entry = &memo->entries[i];

		if (entry->key == key || !entry->rule)
			return entry->rule;
	}
}

#endif
