/*
 * Runs a fuzzer's function once on each file named, without libFuzzer, so that bugs found once stay found. Files are cut to
 * 1 MiB, the limit of fuzzers.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { INPUT_MAX_BYTES = 1 << 20 };

static int replay(const char *path, uint8_t *room)
{
	FILE *input = fopen(path, "re");
	uint8_t *exact;
	size_t size;

	if (!input) {
		perror(path);
		return -1;
	}
	size = fread(room, 1, INPUT_MAX_BYTES, input);
	(void)fclose(input);
	exact = malloc(size + 1); /* so that a sanitizer knows where it ends */
	for (size_t i = 0; exact && i < size; i++)
		exact[i + 1] = room[i];
	if (exact)
		(void)LLVMFuzzerTestOneInput(exact + 1, size);
	free(exact);
	return 0;
}

int main(int argc, char **argv)
{
	uint8_t *room = malloc(INPUT_MAX_BYTES);
	int result = 0;

	for (int i = 1; room && i < argc; i++)
		if (replay(argv[i], room) != 0)
			result = 1;
	free(room);
	return room ? result : 1;
}
