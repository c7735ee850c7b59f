/*
 * source_of FILE [DEBUG_DIRECTORY]: the frames at the addresses (vaddrs, hexadecimal) on standard
 * input, as "eu-addr2line -a -f -i" prints them, without columns. Times go to standard error.
 * SOURCE_CACHE in the environment: the directory of a cache.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/xalloc.h"
#include "symbol/dwarf/source_index.h"

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static size_t read_addresses(uint64_t **addresses)
{
	size_t count = 0, capacity = 0;
	uint64_t address;

	while (scanf("%" SCNx64, &address) == 1) {
		*addresses = array_grow(*addresses, &capacity, count + 1, sizeof(**addresses));
		(*addresses)[count++] = address;
	}
	return count;
}

static void print(struct source_index *index, uint64_t address)
{
	const struct source_frame *frames;
	size_t count = source_index_find(index, address, &frames);

	printf("0x%016" PRIx64 "\n", address);
	for (size_t i = 0; i < count; i++)
		printf("%s\n%s:%" PRIu32 "\n", frames[i].function ? frames[i].function : "??",
		       frames[i].file ? frames[i].file : "??", frames[i].line);
	if (count == 0)
		printf("??\n??:0\n");
}

int main(int argc, char **argv)
{
	const char *dirs[] = { argc > 2 ? argv[2] : "/usr/lib/debug", NULL };
	const struct debug_file_search search = { .symfs = "", .debug_dirs = dirs };
	struct elf_file *file, *debug;
	struct source_index *index;
	struct rusage usage;
	struct error err = { .errno_value = 0 };
	uint64_t *addresses = NULL;
	const char *why;
	size_t count;
	double start, opened, answered;

	file = argc > 1 ? elf_file_open(argv[1], &err) : NULL;
	if (!file) {
		fprintf(stderr, "source_of: %s\n", argc > 1 ? err.message : "no file");
		return 1;
	}
	count = read_addresses(&addresses);
	start = now_s();
	debug = debug_file_open(file, &search, &err);
	index = source_index_open(file, debug, &search, getenv("SOURCE_CACHE"));
	opened = now_s();
	if (index) {
		source_index_prepare(index, addresses, count);
		answered = now_s();
		for (size_t i = 0; i < count; i++)
			print(index, addresses[i]);
		getrusage(RUSAGE_SELF, &usage);
		fprintf(stderr, "%zu addresses: opened in %.3f s, answered in %.3f s, at most %ld MB\n",
			count, opened - start, answered - opened, usage.ru_maxrss / 1024);
		if (source_index_missing(index, &why))
			fprintf(stderr, "missing: %s\n", why);
	} else {
		fprintf(stderr, "source_of: %s has no debug information\n", argv[1]);
	}
	source_index_close(index);
	elf_file_close(debug);
	elf_file_close(file);
	free(addresses);
	return index ? 0 : 1;
}
