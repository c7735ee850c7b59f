#ifndef XPROF_REPORT_STACK_MEMO_H
#define XPROF_REPORT_STACK_MEMO_H

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

/* 1 and *result, or 0; *hash is for stack_memo_add(). */
int stack_memo_find(const struct stack_memo *memo, const struct stack_key *key, uint64_t *hash,
		    struct stack_result *result);
void stack_memo_add(struct stack_memo *memo, const struct stack_key *key, uint64_t hash,
		    struct stack_result result);

#endif
