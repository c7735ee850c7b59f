/*
 * Both sections go through the entries nodeN in ascending order. A node's directory has an entry memoryN for each of its
 * blocks; their numbers become a bitmap.
 */
#include "record/machine/machine_sections.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/write/feature_encode.h"
#include "record/machine/numbered_entries.h"
#include "record/machine/proc_file.h"

static void read_nodes(struct numbered_entries *nodes, const char *sys)
{
	char *directory = xasprintf("%s/devices/system/node", sys);

	numbered_entries_read(nodes, directory, "node");
	free(directory);
}

/* "Node 0 MemTotal:  7956696 kB" */
static uint64_t find_kib(const char *meminfo, const char *key)
{
	const char *at = strstr(meminfo, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

/* u32 node, u64 total, u64 free (KiB), string of its CPUs */
static void add_node(struct strbuf *section, const char *sys, unsigned int node)
{
	struct strbuf text = STRBUF_INIT;

	(void)proc_file_readf(&text, NULL, "%s/devices/system/node/node%u/meminfo", sys, node);
	strbuf_add_u32(section, node, false);
	strbuf_add_u64(section, find_kib(text.bytes, "MemTotal:"), false);
	strbuf_add_u64(section, find_kib(text.bytes, "MemFree:"), false);
	strbuf_reset(&text);
	(void)proc_file_readf(&text, NULL, "%s/devices/system/node/node%u/cpulist", sys, node);
	strbuf_cut(&text, strcspn(text.bytes, "\n"));
	feature_add_string(section, text.bytes);
	strbuf_fini(&text);
}

void memory_nodes_make_numa(struct strbuf *section, const char *sys)
{
	struct numbered_entries nodes;

	read_nodes(&nodes, sys);
	if (nodes.count)
		strbuf_add_u32(section, (uint32_t)nodes.count, false);
	for (size_t i = 0; i < nodes.count; i++)
		add_node(section, sys, nodes.numbers[i]);
	numbered_entries_fini(&nodes);
}

/* u64 number of bits, then words of 64 bits */
static void add_bitmap(struct strbuf *section, const struct numbered_entries *bits, uint64_t bit_count)
{
	size_t i = 0;

	strbuf_add_u64(section, bit_count, false);
	for (uint64_t first = 0; first < bit_count; first += 64) {
		uint64_t word = 0;

		for (; i < bits->count && bits->numbers[i] < first + 64; i++)
			word |= (uint64_t)1 << bits->numbers[i] % 64;
		strbuf_add_u64(section, word, false);
	}
}

/* u64 node, u64 number of bits, bitmap of its blocks. Returns 1, or 0 if the node has no blocks. */
static uint64_t add_blocks(struct strbuf *section, const char *sys, unsigned int node)
{
	char *directory = xasprintf("%s/devices/system/node/node%u", sys, node);
	struct numbered_entries blocks;
	uint64_t added = 0;

	numbered_entries_read(&blocks, directory, "memory");
	if (blocks.count) {
		const uint64_t bit_count = (uint64_t)blocks.numbers[blocks.count - 1] + 1;

		strbuf_add_u64(section, node, false);
		strbuf_add_u64(section, bit_count, false);
		add_bitmap(section, &blocks, bit_count);
		added = 1;
	}
	numbered_entries_fini(&blocks);
	free(directory);
	return added;
}

/* u64 version, u64 bytes of a block, u64 nr, then the nodes */
void memory_nodes_make_blocks(struct strbuf *section, const char *sys)
{
	enum { VERSION = 1 };
	struct numbered_entries nodes;
	struct strbuf block_bytes = STRBUF_INIT, entries = STRBUF_INIT;
	uint64_t count = 0;

	read_nodes(&nodes, sys);
	if (proc_file_readf(&block_bytes, NULL, "%s/devices/system/memory/block_size_bytes", sys) == 0)
		for (size_t i = 0; i < nodes.count; i++)
			count += add_blocks(&entries, sys, nodes.numbers[i]);
	if (count) {
		strbuf_add_u64(section, VERSION, false);
		strbuf_add_u64(section, strtoull(block_bytes.bytes, NULL, 16), false);
		strbuf_add_u64(section, count, false);
		strbuf_add(section, entries.bytes, entries.size);
	}
	numbered_entries_fini(&nodes);
	strbuf_fini(&entries);
	strbuf_fini(&block_bytes);
}
