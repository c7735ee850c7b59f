/*
 * One pass over the text with a stack of open arrays and objects. Numbers without fraction and exponent are read by hand,
 * because most are that; all others by strtod(), whose text must end somewhere: a copy of at most 63 bytes.
 */
#include "text/json_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { MOST_DEPTH = 512, NUMBER_SIZE = 64 };
#define MOST_VALUES ((size_t)UINT32_MAX - 2)

struct reading {
	struct json_document *json;
	const char *at, *end;
	json_node open[MOST_DEPTH]; /* arrays and objects around `at` */
	unsigned depth;
	struct error *err;
};

static int complain(const struct reading *reading, const char *what)
{
	return error_set(reading->err, "at byte %zu: %s%s", (size_t)(reading->at - reading->json->text), what,
			 reading->at >= reading->end ? ": the file is cut off" : "");
}

static void skip_blanks(struct reading *reading)
{
	while (reading->at < reading->end && strchr(" \t\r\n", *reading->at) && *reading->at)
		reading->at++;
}

static int add_value(struct reading *reading, struct json_value value)
{
	struct json_document *json = reading->json;

	if (json->count >= MOST_VALUES)
		return complain(reading, "too many values");
	*ARRAY_ADD(json->values, json->count, json->capacity) = value;
	return 0;
}

static int read_string(struct reading *reading)
{
	const char *start = ++reading->at;
	bool escaped = false;

	for (; reading->at < reading->end && *reading->at != '"'; reading->at++)
		if (*reading->at == '\\') {
			escaped = true;
			reading->at += reading->at + 1 < reading->end;
		}
	if (reading->at >= reading->end)
		return complain(reading, "a string is not closed");
	if (reading->at - start > UINT32_MAX)
		return complain(reading, "a string is too long");
	reading->at++;
	return add_value(reading, (struct json_value){ .type = JSON_STRING,
						       .escaped = escaped,
						       .length = (uint32_t)(reading->at - 1 - start),
						       .offset = (uint64_t)(start - reading->json->text) });
}

static int read_odd_number(struct reading *reading, const char *start)
{
	char copy[NUMBER_SIZE], *end;
	size_t size = 0;
	double number;

	while (start + size < reading->end && size + 1 < sizeof(copy) &&
	       strchr("+-.eE0123456789", start[size]) && start[size]) {
		copy[size] = start[size];
		size++;
	}
	copy[size] = '\0';
	number = strtod(copy, &end);
	if (end == copy || *end)
		return complain(reading, "not a valid value");
	reading->at = start + size;
	return add_value(reading, (struct json_value){ .type = JSON_NUMBER, .length = 1, .number = number });
}

static int read_number(struct reading *reading)
{
	const char *start = reading->at, *at = start;
	const bool negative = *at == '-';
	uint64_t number = 0;

	for (at += negative; at < reading->end && *at >= '0' && *at <= '9' && at - start < 16; at++)
		number = number * 10 + (uint64_t)(*at - '0');
	if (at == start + negative || (at < reading->end && strchr(".eE0123456789", *at) && *at))
		return read_odd_number(reading, start);
	reading->at = at;
	return add_value(reading,
			 (struct json_value){ .type = JSON_NUMBER,
					      .length = 1,
					      .number = negative ? -(double)number : (double)number });
}

static int read_word(struct reading *reading, const char *word, enum json_type type)
{
	const size_t length = strlen(word);

	if ((size_t)(reading->end - reading->at) < length || memcmp(reading->at, word, length))
		return complain(reading, "not a valid value");
	reading->at += length;
	return add_value(reading, (struct json_value){ .type = (uint32_t)type & 7, .length = 1 });
}

static int begin(struct reading *reading, enum json_type type)
{
	if (reading->depth == MOST_DEPTH)
		return complain(reading, "arrays and objects are nested too deep");
	reading->at++;
	reading->open[reading->depth++] = (json_node)reading->json->count;
	return add_value(reading, (struct json_value){ .type = (uint32_t)type & 7 });
}

/* Completes the innermost array or object. */
static void finish(struct reading *reading)
{
	const json_node node = reading->open[--reading->depth];
	struct json_value *value = &reading->json->values[node];

	value->length = (uint32_t)reading->json->count - node;
	reading->at++;
}

static int read_value(struct reading *reading)
{
	skip_blanks(reading);
	if (reading->at >= reading->end)
		return complain(reading, "a value is missing");
	switch (*reading->at) {
	case '{': return begin(reading, JSON_OBJECT);
	case '[': return begin(reading, JSON_ARRAY);
	case '"': return read_string(reading);
	case 't': return read_word(reading, "true", JSON_TRUE);
	case 'f': return read_word(reading, "false", JSON_FALSE);
	case 'n': return read_word(reading, "null", JSON_NULL);
	default: return read_number(reading);
	}
}

static int read_name(struct reading *reading)
{
	skip_blanks(reading);
	if (reading->at >= reading->end || *reading->at != '"')
		return complain(reading, "a name is missing");
	if (read_string(reading))
		return -1;
	skip_blanks(reading);
	if (reading->at >= reading->end || *reading->at != ':')
		return complain(reading, "a colon is missing");
	reading->at++;
	return 0;
}

/* Called after a value, or the beginning of an array or object. Skips to the next value, or to the end of the document. */
static int go_on(struct reading *reading, bool *begun)
{
	while (reading->depth) {
		const json_node node = reading->open[reading->depth - 1];
		const bool is_object = reading->json->values[node].type == JSON_OBJECT;
		const bool is_empty = *begun;

		*begun = false;
		skip_blanks(reading);
		if (reading->at >= reading->end)
			return complain(reading, "an array or object is not closed");
		if (*reading->at == (is_object ? '}' : ']')) {
			finish(reading);
			continue;
		}
		if (!is_empty) {
			if (*reading->at != ',')
				return complain(reading, "a comma is missing");
			reading->at++;
		}
		return is_object ? read_name(reading) : 0;
	}
	return 0;
}

static int read_all(struct reading *reading)
{
	do {
		const unsigned before = reading->depth;
		bool begun;

		if (read_value(reading))
			return -1;
		begun = reading->depth > before;
		if (go_on(reading, &begun))
			return -1;
	} while (reading->depth);
	skip_blanks(reading);
	return reading->at < reading->end ? complain(reading, "unexpected text after the end") : 0;
}

int json_read(struct json_document *json, const char *text, size_t size, struct error *err)
{
	struct reading reading = { .json = json, .at = text, .end = text + size, .err = err };

	*json = (struct json_document){ .text = text };
	if (add_value(&reading, (struct json_value){ .type = JSON_MISSING, .length = 1 }) == 0 &&
	    read_all(&reading) == 0)
		return 0;
	json_fini(json);
	return -1;
}

void json_fini(struct json_document *json)
{
	free(json->values);
	arena_fini(&json->strings);
	*json = (struct json_document){ .text = NULL };
}

enum json_type json_type_of(const struct json_document *json, json_node node)
{
	return (enum json_type)json->values[node].type;
}

static bool holds_values(const struct json_value *value)
{
	return value->type == JSON_ARRAY || value->type == JSON_OBJECT;
}

static json_node behind(const struct json_document *json, json_node node)
{
	const struct json_value *value = &json->values[node];

	return node + (holds_values(value) ? value->length : 1);
}

struct json_items json_items_of(const struct json_document *json, json_node node)
{
	return holds_values(&json->values[node]) ? (struct json_items){ node + 1, behind(json, node) } :
						   (struct json_items){ 0, 0 };
}

json_node json_next(const struct json_document *json, struct json_items *items)
{
	const json_node node = items->next;

	if (node >= items->end)
		return 0;
	items->next = behind(json, node);
	return node;
}

json_node json_member(const struct json_document *json, json_node node, const char *name)
{
	struct json_items items = json_items_of(json, node);
	json_node at;

	if (json_type_of(json, node) != JSON_OBJECT)
		return 0;
	while ((at = json_next(json, &items))) {
		const json_node value = json_next(json, &items);

		if (json_is_text(json, at, name))
			return value;
	}
	return 0;
}

struct json_column json_column_of(const struct json_document *json, json_node node)
{
	const struct json_value *value = &json->values[node];

	if (value->type != JSON_ARRAY)
		return (struct json_column){ 0, 0 };
	for (uint32_t i = 1; i < value->length; i++)
		if (holds_values(value + i))
			return (struct json_column){ 0, 0 };
	return (struct json_column){ node + 1, value->length - 1 };
}

double json_number_of(const struct json_document *json, json_node node)
{
	return json_type_of(json, node) == JSON_NUMBER ? json->values[node].number : 0;
}

uint64_t json_unsigned_of(const struct json_document *json, json_node node)
{
	const double number = json_number_of(json, node);

	return number >= 0 && number < 0x1p64 ? (uint64_t)number : 0;
}

static unsigned int hex_digits(const char *text, const char *end)
{
	unsigned int value = 0;

	for (int i = 0; i < 4; i++) {
		const char digit = text + i < end ? text[i] : '0';
		const char *found =
			strchr("0123456789abcdef", digit >= 'A' && digit <= 'F' ? digit + 32 : digit);

		value = value * 16 + (found && *found ? (unsigned int)(found - "0123456789abcdef") : 0);
	}
	return value;
}

static char *put_utf8(char *out, unsigned int point)
{
	if (point < 0x80) {
		*out++ = (char)point;
	} else if (point < 0x800) {
		*out++ = (char)(0xc0 | point >> 6);
		*out++ = (char)(0x80 | (point & 0x3f));
	} else if (point < 0x10000) {
		*out++ = (char)(0xe0 | point >> 12);
		*out++ = (char)(0x80 | (point >> 6 & 0x3f));
		*out++ = (char)(0x80 | (point & 0x3f));
	} else {
		*out++ = (char)(0xf0 | point >> 18);
		*out++ = (char)(0x80 | (point >> 12 & 0x3f));
		*out++ = (char)(0x80 | (point >> 6 & 0x3f));
		*out++ = (char)(0x80 | (point & 0x3f));
	}
	return out;
}

/* Decodes what follows "\u": one code point, from two surrogates if there are two. NUL and lone surrogates become U+FFFD. */
static const char *take_unicode(const char *at, const char *end, char **out)
{
	unsigned int point = hex_digits(at, end), low;

	at += at + 4 < end ? 4 : end - at;
	if (point >= 0xd800 && point < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
		low = hex_digits(at + 2, end);
		if (low >= 0xdc00 && low < 0xe000) {
			*out = put_utf8(*out, 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00));
			return at + 6;
		}
	}
	*out = put_utf8(*out, !point || (point >= 0xd800 && point < 0xe000) ? 0xfffd : point);
	return at;
}

/* The output fits, because no escape is shorter than its character. */
static void decode(char *out, const char *at, const char *end)
{
	static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";

	while (at < end) {
		const char *letter;

		if (*at != '\\' || at + 1 == end) {
			*out++ = *at++;
			continue;
		}
		at++;
		if (*at == 'u') {
			at = take_unicode(at + 1, end, &out);
			continue;
		}
		letter = strchr(letters, *at);
		*out++ = letter && *letter ? meanings[letter - letters] : *at;
		at++;
	}
	*out = '\0';
}

const char *json_text_of(struct json_document *json, json_node node)
{
	const struct json_value *value = &json->values[node];
	const char *at = json->text + value->offset;
	char *text;

	if (value->type != JSON_STRING)
		return NULL;
	text = arena_alloc(&json->strings, (size_t)value->length + 1);
	if (value->escaped) {
		decode(text, at, at + value->length);
	} else {
		memcpy(text, at, value->length);
		text[value->length] = '\0';
	}
	return text;
}

bool json_is_text(const struct json_document *json, json_node node, const char *text)
{
	const struct json_value *value = &json->values[node];

	return value->type == JSON_STRING && value->length == strlen(text) && !value->escaped &&
	       !memcmp(json->text + value->offset, text, value->length);
}
