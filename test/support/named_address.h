#ifndef XPROF_TEST_SUPPORT_NAMED_ADDRESS_H
#define XPROF_TEST_SUPPORT_NAMED_ADDRESS_H

/* Looks up an address in a map of symbols. */

#include "symbol/symbol_map.h"

/* Returns "nothing" if no symbol covers it. */
const char *named_address_of(struct symbol_map *map, uint64_t address);
void assert_named_address(struct symbol_map *map, uint64_t address, const char *name);

#endif
