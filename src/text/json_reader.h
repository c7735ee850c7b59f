#ifndef XPROF_TEXT_JSON_READER_H
#define XPROF_TEXT_JSON_READER_H

/*
 * JSON text (RFC 8259) as a list of values, each of which stores where it ends, so that skipping one is cheap however large
 * it is. Profiles of other tools are hundreds of megabytes of columns of numbers: a value takes 16 bytes, and strings are
 * decoded only when json_text_of() is called.
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
	JSON_MISSING, /* value number 0, for members that are not there */
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT, /* a list of name, value, name, value … */
};

struct json_value {
	uint32_t type : 3;    /* enum json_type */
	uint32_t escaped : 1; /* of a string: it has backslashes */
	uint32_t length; /* of a string: bytes in the text; of others: values up to the next one, itself included */
	union {
		double number;
		uint64_t offset; /* of a string: position in the text, behind the quotation mark */
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

/* Returns -1 if the text is not JSON, is nested too deep, or has too many values; err says at which byte. */
int json_read(struct json_document *json, const char *text, size_t size, struct error *err);
void json_fini(struct json_document *json);

enum json_type json_type_of(const struct json_document *json, json_node node);

/*
 * Iterates over the values of an array, or over name, value, name, value … of an object. Empty for any other
 * node.
 */
struct json_items {
	json_node next, end;
};
struct json_items json_items_of(const struct json_document *json, json_node node);
/* The next value; 0 at the end. */
json_node json_next(const struct json_document *json, struct json_items *items);

/* The member of an object by name; 0 if there is none, or if `node` is not an object. */
json_node json_member(const struct json_document *json, json_node node, const char *name);

/* An array without nested arrays and objects: item n is the value first + n. Empty if the node is anything else. */
struct json_column {
	json_node first;
	uint32_t count;
};
struct json_column json_column_of(const struct json_document *json, json_node node);

/* Return 0 if the value is not a number, or does not fit. */
double json_number_of(const struct json_document *json, json_node node);
uint64_t json_unsigned_of(const struct json_document *json, json_node node);

/*
 * NUL-terminated, valid as long as the document; NULL if the value is not a string. Each call decodes the
 * string again.
 */
const char *json_text_of(struct json_document *json, json_node node);
bool json_is_text(const struct json_document *json, json_node node, const char *text);

#endif
