/* Growable lists of numbers and of texts. */
#include "report/import/import_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void import_numbers_add_one(struct import_numbers *numbers, uint64_t number)
{
	*ARRAY_ADD(numbers->items, numbers->count, numbers->capacity) = number;
}

int import_numbers_add(struct import_numbers *numbers, const struct protobuf_field *field)
{
	struct byte_reader packed = field->bytes;

	if (!field->is_bytes) {
		import_numbers_add_one(numbers, field->value);
		return 0;
	}
	while (byte_reader_left(&packed)) {
		const uint64_t number = protobuf_number(&packed);

		if (!byte_reader_ok(&packed))
			return -1;
		import_numbers_add_one(numbers, number);
	}
	return 0;
}

void import_numbers_fini(struct import_numbers *numbers)
{
	free(numbers->items);
	*numbers = (struct import_numbers){ .items = NULL };
}

void import_strings_add(struct import_strings *strings, const struct protobuf_field *field)
{
	const size_t length = byte_reader_left(&field->bytes);
	char *text = arena_alloc(&strings->texts, length + 1);

	memcpy(text, field->bytes.next, length);
	text[length] = '\0';
	*ARRAY_ADD(strings->items, strings->count, strings->capacity) = text;
}

void import_strings_fini(struct import_strings *strings)
{
	free(strings->items);
	arena_fini(&strings->texts);
}

const char *import_strings_at(const struct import_strings *strings, uint64_t number)
{
	return number < strings->count ? strings->items[number] : "";
}
