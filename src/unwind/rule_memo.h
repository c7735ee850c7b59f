#ifndef XPROF_UNWIND_RULE_MEMO_H
#define XPROF_UNWIND_RULE_MEMO_H

/*
 * A cache (module, vaddr) -> rule of one thread: most lookups read one cache line, and there is no lock. Keys
 * contain no run-time address, so they stay valid across address-space randomisation, fork, mmap and exec: 20
 * bits for the number of the module (MODULE_MAX_NUMBER), 42 for the vaddr, 2 for the kind of rule.
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
	size_t mask; /* number of entries minus 1; the number is a power of two */
	size_t used;
};

/* A vaddr may have one rule of each kind. */
enum rule_memo_kind {
	RULE_MEMO_INSTRUCTION,
	RULE_MEMO_RETURN_ADDRESS,
	RULE_MEMO_EXIT, /* by the instructions up to the return: module_exit_rule() */
};

enum { RULE_MEMO_VADDR_BITS = 42, RULE_MEMO_KIND_BITS = 2 };
enum { RULE_MEMO_MIN_ENTRIES = 1 << 13, RULE_MEMO_MAX_ENTRIES = 1 << 19 }; /* 128 KiB to 8 MiB */

void rule_memo_init(struct rule_memo *memo);
void rule_memo_fini(struct rule_memo *memo);

/* Adds a key that must not be there yet. Clears the memo if it would become too large. */
void rule_memo_put(struct rule_memo *memo, uint64_t key, const struct unwind_rule *rule);

/* Does the vaddr fit into a key? Higher ones are not cached. */
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
