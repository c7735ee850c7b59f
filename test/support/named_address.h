#ifndef XPROF_TEST_SUPPORT_NAMED_ADDRESS_H
#define XPROF_TEST_SUPPORT_NAMED_ADDRESS_H

/* The answer of a map of symbols for an address. */

#include "symbol/symbol_map.h"

/* "nothing": no symbol covers it. */
const char *named_address_of(struct symbol_map *map, uint64_t address);
void assert_named_address(struct symbol_map *map, uint64_t address, const char *name);

#endif
