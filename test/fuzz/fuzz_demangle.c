/* Demangles a name of arbitrary bytes: the result is of bounded length, or NULL. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *name = malloc(size + 1);
	char *text;

	memcpy(name, data, size);
	name[size] = '\0';
	for (int parameters = 0; parameters < 2; parameters++) {
		text = demangle_name(name, parameters);
		if (text && strlen(text) > 65536 + strlen("@plt"))
			abort();
		free(text);
	}
	free(name);
	return 0;
}
