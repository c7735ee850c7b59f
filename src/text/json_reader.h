#ifndef XPROF_TEXT_JSON_READER_H
#define XPROF_TEXT_JSON_READER_H

/*
 * JSON text (RFC 8259) as a list of values, each of which knows where it ends, so that stepping over one costs nothing
 * however much is in it. Profiles of other tools are hundreds of megabytes of columns of numbers: a value takes 16 bytes, and
 * strings stay in the text until they are asked for.
 *
 *	if (json_read(&json, bytes, size, err) == 0) {
 *		struct json_items samples = json_items_of(&json, json_member(&json, JSON_ROOT, "samples"));
 *
 *		while ((value = json_next(&json, &samples)))
 *			add(json_number_of(&json, value));
 *	}
 *	json_fini(&json);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum json_type {
	JSON_MISSING, /* of number 0: a member that is not there */
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT, /* names and values take turns in it */
};

struct json_value {
	uint32_t type : 3;    /* enum json_type */
	uint32_t escaped : 1; /* of a string: it has backslashes */
	uint32_t length; /* of a string: bytes in the text; of others: values up to the next one, itself included */
	union {
		double number;
		uint64_t offset; /* of a string: in the text, behind the quotation mark */
	};
};

struct json_document {
	const char *text; /* borrowed */
	struct json_value *values;
	size_t count, capacity;
	struct arena strings;
};

typedef uint32_t json_node; /* number of a value; 0: none */
#define JSON_ROOT ((json_node)1)

/* -1: it is not JSON, is nested too deep, or has too many values; err says at which byte. */
int json_read(struct json_document *json, const char *text, size_t size, struct error *err);
void json_fini(struct json_document *json);

enum json_type json_type_of(const struct json_document *json, json_node node);

/* The values of an array one after the other; of an object name, value, name, value. None of what is neither. */
struct json_items {
	json_node next, end;
};
struct json_items json_items_of(const struct json_document *json, json_node node);
/* 0 behind the last. */
json_node json_next(const struct json_document *json, struct json_items *items);

/* The value of that name; 0 if there is none, or the node is no object. */
json_node json_member(const struct json_document *json, json_node node, const char *name);

/*
 * An array of numbers, texts and words alone: item n is the value first + n. Empty where the node is no such array, or none.
 */
struct json_column {
	json_node first;
	uint32_t count;
};
struct json_column json_column_of(const struct json_document *json, json_node node);

/* 0 for what is no number, and for what does not fit. */
double json_number_of(const struct json_document *json, json_node node);
uint64_t json_unsigned_of(const struct json_document *json, json_node node);

/* NUL-terminated, valid as long as the document; NULL for what is no string. Each call decodes it anew. */
const char *json_text_of(struct json_document *json, json_node node);
bool json_is_text(const struct json_document *json, json_node node, const char *text);

#endif
