/* Finds the end of a UTF-8 character, and tells whether a terminal would act on it. */
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

static bool continues(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* Unicode 15, table 3-7: well-formed UTF-8 byte sequences. A byte is read only when those before it are well formed. */
size_t utf8_length(const char *bytes, size_t size)
{
	const unsigned char *b = (const unsigned char *)bytes;

	if (size == 0)
		return 0;
	if (b[0] < 0x80)
		return 1;
	if (b[0] >= 0xc2 && b[0] <= 0xdf)
		return size > 1 && continues(b[1]) ? 2 : 0;
	if (b[0] >= 0xe0 && b[0] <= 0xef) {
		if (size < 3 || !continues(b[1]) || (b[0] == 0xe0 && b[1] < 0xa0) ||
		    (b[0] == 0xed && b[1] > 0x9f))
			return 0;
		return continues(b[2]) ? 3 : 0;
	}
	if (b[0] >= 0xf0 && b[0] <= 0xf4) {
		if (size < 4 || !continues(b[1]) || (b[0] == 0xf0 && b[1] < 0x90) ||
		    (b[0] == 0xf4 && b[1] > 0x8f))
			return 0;
		return continues(b[2]) && continues(b[3]) ? 4 : 0;
	}
	return 0;
}

size_t utf8_sequence_length(const char *text)
{
	return utf8_length(text, 4);
}

unsigned utf8_code_point(const char *bytes, size_t length)
{
	static const unsigned char first_bits[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	unsigned point = (unsigned char)bytes[0] & first_bits[length];

	for (size_t i = 1; i < length; i++)
		point = point << 6 | ((unsigned char)bytes[i] & 0x3f);
	return point;
}

/* U+0080 to U+009F are c2 80 to c2 9f, U+061C is d8 9c, U+200E is e2 80 8e, U+2066 is e2 81 a6. */
bool utf8_is_harmful(const char *bytes, size_t length)
{
	const unsigned char *b = (const unsigned char *)bytes;

	if (length == 1)
		return b[0] < 0x20 || b[0] == 0x7f;
	if (length == 2)
		return (b[0] == 0xc2 && b[1] < 0xa0) || (b[0] == 0xd8 && b[1] == 0x9c);
	if (length != 3 || b[0] != 0xe2)
		return false;
	if (b[1] == 0x80)
		return b[2] == 0x8e || b[2] == 0x8f || (b[2] >= 0xa8 && b[2] <= 0xae);
	return b[1] == 0x81 && b[2] >= 0xa6 && b[2] <= 0xa9;
}

/* Whether all bytes of a word are printable ASCII. A byte after a control character may be wrongly refused. */
static bool is_plain_word(uint64_t word)
{
	const uint64_t ones = 0x0101010101010101;

	return !((word | (word - ' ' * ones) | (word + ones)) & 0x80 * ones);
}

size_t utf8_plain_length(const char *text, const char *end)
{
	const char *at = text;
	uint64_t word;

	for (; (size_t)(end - at) >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		if (!is_plain_word(word))
			break;
	}
	while (at < end && *at >= ' ' && *at < 0x7f)
		at++;
	return (size_t)(at - text);
}

size_t utf8_make_harmless(char *text)
{
	char *const start = text, *to;

	text += utf8_plain_length(text, text + strlen(text));
	to = text;

	while (*text) {
		size_t length = utf8_sequence_length(text);

		if (!length || utf8_is_harmful(text, length))
			*to++ = '?';
		else
			to = (char *)memmove(to, text, length) + length;
		text += length ? length : 1;
	}
	*to = '\0';
	return (size_t)(to - start);
}
