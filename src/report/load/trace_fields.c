/* Finds the fields of a tracepoint's sample by name or number in the answer of the child process. */

#include "report/load/trace_fields.h"

#include <stdio.h>
#include <string.h>

/* A name and a value in an answer; both end with a NUL. */
struct field {
	const char *name, *value;
};

/* Takes the next field after *at; false at the end. */
static bool next_field(const struct strbuf *answer, size_t *at, struct field *field)
{
	if (*at >= answer->size)
		return false;
	field->name = answer->bytes + *at;
	*at += strlen(field->name) + 1;
	field->value = *at < answer->size ? answer->bytes + *at : "";
	*at += strlen(field->value) + 1;
	return true;
}

static bool find_field(const struct strbuf *answer, const struct sample_key_field *wanted,
		       struct field *field)
{
	size_t at = strlen(answer->bytes) + 1;

	for (uint32_t number = 0; next_field(answer, &at, field); number++)
		if (wanted->name[0] ? strcmp(field->name, wanted->name) == 0 : number == wanted->number)
			return true;
	return false;
}

/* Where the trace has the field's value, as "NAME=VALUE" or "NAME: VALUE"; NULL if it does not. */
static const char *find_in_trace(const char *trace, const char *name, size_t *length)
{
	const size_t name_length = strlen(name);

	for (const char *word = trace; (word = strstr(word, name)); word++) {
		const char *value = word + name_length;

		if (word != trace && word[-1] != ' ' && word[-1] != ',')
			continue;
		if (value[0] != '=' && (value[0] != ':' || value[1] != ' '))
			continue;
		value += value[0] == '=' ? 1 : 2;
		*length = strcspn(value, value[-1] == '=' ? " " : " ,");
		return value;
	}
	return NULL;
}

static void set_field(struct sample_keys *keys, uint32_t set, enum sample_key key,
		      const struct strbuf *answer, const struct field *field, bool raw)
{
	size_t length = 0;
	const char *value = raw ? NULL : find_in_trace(answer->bytes, field->name, &length);
	struct strbuf text;

	strbuf_init(&text);
	if (value && length)
		strbuf_add(&text, value, length);
	else
		strbuf_adds(&text, field->value + strspn(field->value, " "));
	sample_keys_set(keys, set, key, text.bytes);
	strbuf_fini(&text);
}

static void set_trace(struct sample_keys *keys, uint32_t set, const struct strbuf *answer)
{
	size_t at = strlen(answer->bytes) + 1;
	struct strbuf text;
	struct field field;

	if (!sample_keys_request(keys)->raw_trace) {
		sample_keys_set(keys, set, SAMPLE_KEY_TRACE, answer->bytes);
		return;
	}
	strbuf_init(&text);
	while (next_field(answer, &at, &field))
		strbuf_addf(&text, " %s=%s", field.name, field.value);
	sample_keys_set(keys, set, SAMPLE_KEY_TRACE, text.bytes);
	strbuf_fini(&text);
}

void trace_fields_take(struct sample_keys *keys, uint32_t set, uint32_t event, const char *event_name,
		       const struct strbuf *answer)
{
	const struct sample_key_request *request = sample_keys_request(keys);
	struct field field;

	if (request->wanted[SAMPLE_KEY_TRACE])
		set_trace(keys, set, answer);
	for (int key = SAMPLE_KEY_FIELD; key < SAMPLE_KEY_COUNT; key++) {
		const struct sample_key_field *wanted = &request->fields[key - SAMPLE_KEY_FIELD];

		if (!request->wanted[key])
			continue;
		sample_keys_set(keys, set, (enum sample_key)key, "");
		if (!strstr(event_name, wanted->event) || !find_field(answer, wanted, &field))
			continue;
		sample_keys_name_field(keys, event, (enum sample_key)key, field.name);
		set_field(keys, set, (enum sample_key)key, answer, &field, wanted->raw || request->raw_trace);
	}
}

void trace_fields_fail(struct sample_keys *keys, uint32_t set, const char *why)
{
	const struct sample_key_request *request = sample_keys_request(keys);
	char text[600];

	snprintf(text, sizeof(text), "[%s]", why);
	for (int key = 0; key < SAMPLE_KEY_COUNT; key++)
		if (request->wanted[key] && sample_key_is_of_trace((enum sample_key)key))
			sample_keys_set(keys, set, (enum sample_key)key, key == SAMPLE_KEY_TRACE ? text : "");
}
