#ifndef XPROF_REPORT_LOAD_STACK_MEMO_H
#define XPROF_REPORT_LOAD_STACK_MEMO_H

/*
 * A cache from call chains to stacks of the profile, so that a repeated stack costs one look-up. Bounded:
 * when it is full it is emptied.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process/process_table.h"

struct stack_memo;

struct stack_key { /* everything that a stack depends on */
	struct process_state state;
	uint64_t ip;
	uint32_t event; /* event number: what the event records decides why stacks end */
	uint16_t cpumode;
	bool has_dump; /* a stack dump replaces the user part of the chain */
	const uint8_t *chain;
	size_t chain_bytes;
};

struct stack_result {
	uint32_t node; /* leaf */
	uint8_t end;   /* enum stack_end */
};

struct stack_memo *stack_memo_create(void);
void stack_memo_destroy(struct stack_memo *memo);

/* The hash to pass to the other functions, so that it is computed only once. */
uint64_t stack_memo_hash(const struct stack_key *key);

/*
 * Prefetch hints, to be called in this order some time before stack_memo_find(); see hash_table_prefetch().
 */
void stack_memo_prefetch(const struct stack_memo *memo, uint64_t hash);
void stack_memo_prefetch_entry(const struct stack_memo *memo, uint64_t hash);

/* Returns 1 with *result, or 0. */
int stack_memo_find(const struct stack_memo *memo, const struct stack_key *key, uint64_t hash,
		    struct stack_result *result);
void stack_memo_add(struct stack_memo *memo, const struct stack_key *key, uint64_t hash,
		    struct stack_result result);

#endif
