#include "support/named_address.h"

#include "support/cmocka.h"

const char *named_address_of(struct symbol_map *map, uint64_t address)
{
	const struct symbol_map_entry *entry = symbol_map_find(map, address);

	return entry ? entry->name : "nothing";
}

void assert_named_address(struct symbol_map *map, uint64_t address, const char *name)
{
	assert_string_equal(named_address_of(map, address), name);
}
