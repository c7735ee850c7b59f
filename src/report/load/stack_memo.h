#ifndef XPROF_REPORT_LOAD_STACK_MEMO_H
#define XPROF_REPORT_LOAD_STACK_MEMO_H

/*
 * Remembers what a callchain became, so that a stack which repeats costs one
 * look-up. Bounded: when it has grown large it is emptied and fills again with
 * what is current.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process/process_table.h"

struct stack_memo;

struct stack_key { /* all that a stack is worked out from */
	struct process_state state;
	uint64_t ip;
	uint32_t event; /* number: what it records decides why its stacks end */
	uint16_t cpumode;
	bool has_dump; /* a stack dump was recorded instead of the user part of the chain */
	const uint8_t *chain;
	size_t chain_bytes;
};

struct stack_result {
	uint32_t node; /* leaf */
	uint8_t end;   /* enum stack_end */
};

struct stack_memo *stack_memo_create(void);
void stack_memo_destroy(struct stack_memo *memo);

/* Of what the others take: it is worth being worked out once. */
uint64_t stack_memo_hash(const struct stack_key *key);

/* Hints, long before stack_memo_find(): first the one, then the other; see hash_table_prefetch(). */
void stack_memo_prefetch(const struct stack_memo *memo, uint64_t hash);
void stack_memo_prefetch_entry(const struct stack_memo *memo, uint64_t hash);

/* 1 and *result, or 0. */
int stack_memo_find(const struct stack_memo *memo, const struct stack_key *key, uint64_t hash,
		    struct stack_result *result);
void stack_memo_add(struct stack_memo *memo, const struct stack_key *key, uint64_t hash,
		    struct stack_result result);

#endif
