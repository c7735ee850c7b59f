#ifndef XPROF_UNWIND_RULE_POOL_H
#define XPROF_UNWIND_RULE_POOL_H

/*
 * The distinct rules of a module, and the expressions that some of them need. Both have dense numbers and
 * never move, so threads may read one while another thread adds. Additions need the module's lock.
 */

#include "unwind/arch/dwarf_expr.h"
#include "unwind/arch/unwind_rule.h"

struct rule_pool;

enum { RULE_POOL_NO_CFI = 0 }; /* number of the rule with PATH_NO_CFI */

struct rule_pool *rule_pool_create(void);
void rule_pool_destroy(struct rule_pool *pool);

/*
 * The number of the rule with these parts, added if it is new. Computes the rule's path, flags and `others`.
 * `hash` must be equal for equal rules.
 */
uint32_t rule_pool_add(struct rule_pool *pool, const struct unwind_arch *arch, const struct unwind_rule *rule,
		       uint64_t hash);
const struct unwind_rule *rule_pool_rule(const struct rule_pool *pool, uint32_t number);
uint32_t rule_pool_count(const struct rule_pool *pool);

uint32_t rule_pool_add_expression(struct rule_pool *pool, const struct dwarf_expr *expr);

/* NULL if there is no expression with that number. */
const struct dwarf_expr *rule_pool_expression(const struct rule_pool *pool, uint32_t number);

size_t rule_pool_bytes(const struct rule_pool *pool);

#endif
