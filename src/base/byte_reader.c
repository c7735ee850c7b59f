/* Sub-readers and strings. Reads of single integers are inline in the header. */
#include "base/byte_reader.h"

struct byte_reader byte_reader_sub(struct byte_reader *r, size_t size)
{
	const uint8_t *bytes = byte_reader_bytes(r, size);
	struct byte_reader sub = byte_reader_over(bytes, size, r->swap);

	sub.failed = r->failed;
	return sub;
}

const char *byte_reader_string(struct byte_reader *r, size_t field_size)
{
	const uint8_t *bytes = byte_reader_bytes(r, field_size);

	if (!bytes)
		return NULL;
	if (!memchr(bytes, '\0', field_size)) {
		r->failed = true;
		return NULL;
	}
	return (const char *)bytes;
}
