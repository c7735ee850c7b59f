/* A line is a word and then KEY=VALUE pairs; tables map the keys to places in the structs. */
#include "kernel/play_script.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "record/event/branch_filter.h"

static const char *const kinds[] = { "sample", "mmap",         "comm",     "fork",      "exit",
				     "lost",   "lost_samples", "throttle", "unthrottle" };

static const char *const numbers[PLAY_NUMBERS] = { "cpu",    "event",  "pid",      "tid",    "ppid",  "time",
						   "ip",     "period", "addr",     "weight", "start", "size",
						   "offset", "count",  "hw_index", "exact" };

static const char *const lists[PLAY_LISTS] = { "chain", "branches", "counters", "regs", "stack", "reads" };

struct errno_name {
	const char *name;
	int value;
};

static const struct errno_name errnos[] = {
	{ "EPERM", EPERM },   { "EACCES", EACCES }, { "EMFILE", EMFILE }, { "ENOSPC", ENOSPC },
	{ "ENODEV", ENODEV }, { "EBUSY", EBUSY },   { "EINVAL", EINVAL }, { "EOPNOTSUPP", EOPNOTSUPP },
	{ "ENOENT", ENOENT }, { "ENOSYS", ENOSYS }, { "ENOMEM", ENOMEM }, { "ENXIO", ENXIO },
};

static int find_word(const char *const *table, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(table[i], word) == 0)
			return (int)i;
	return -1;
}

static int parse_number(uint64_t *number, const char *text, char **end, struct error *err)
{
	errno = 0;
	*number = strtoull(text, end, 0);
	if (errno || *end == text)
		return error_set(err, "'%s' is not a number", text);
	return 0;
}

static void words_add(struct words *words, uint64_t word)
{
	words->items = array_grow(words->items, &words->capacity, words->count + 1, sizeof(*words->items));
	words->items[words->count++] = word;
}

enum { EXTENDED_TYPE = 15, TYPES = 16 }; /* PERF_BR_EXTEND_ABI; TYPE 16 + N is its PERF_BR_NEW_* N */

/* FROM/TO/P/-/-/CYCLES[/TYPE[/SPEC[/PRIV]]], as perf script -F brstack prints it, with numbers for the parts after the cycles */
static int parse_branch(struct words *words, const char *text, struct error *err)
{
	uint64_t from, to, more[4] = { 0 };
	char *at;
	char predicted, transaction, aborted;

	if (parse_number(&from, text, &at, err) < 0 || *at != '/' || parse_number(&to, at + 1, &at, err) < 0)
		return error_set(err, "'%s' is not FROM/TO/...", text);
	if (sscanf(at, "/%c/%c/%c", &predicted, &transaction, &aborted) != 3)
		return error_set(err, "'%s': three flags have to follow the addresses", text);
	at += 6;
	for (size_t i = 0; i < 4 && *at == '/'; i++)
		if (parse_number(&more[i], at + 1, &at, err) < 0)
			return -1;
	words_add(words, from);
	words_add(words, to);
	words_add(words, (uint64_t)(predicted == 'M') | (uint64_t)(predicted == 'P') << 1 |
				 (uint64_t)(transaction == 'X') << 2 | (uint64_t)(aborted == 'A') << 3 |
				 (more[0] & 0xffff) << 4 | (more[1] < TYPES ? more[1] : EXTENDED_TYPE) << 20 |
				 (more[2] & 3) << 24 | (more[1] < TYPES ? 0 : (more[1] - TYPES) & 15) << 26 |
				 (more[3] & 7) << 30);
	return 0;
}

static int parse_item(struct words *words, enum play_list list, const char *text, struct error *err)
{
	uint64_t number;
	char *end;

	if (list == LIST_BRANCHES)
		return parse_branch(words, text, err);
	if (list == LIST_CHAIN && strcmp(text, "user") == 0) {
		words_add(words, (uint64_t)PERF_CONTEXT_USER);
		return 0;
	}
	if (list == LIST_CHAIN && strcmp(text, "kernel") == 0) {
		words_add(words, (uint64_t)PERF_CONTEXT_KERNEL);
		return 0;
	}
	if (parse_number(&number, text, &end, err) < 0)
		return -1;
	words_add(words, number);
	if (list != LIST_REGS)
		return *end ? error_set(err, "'%s' is not a number", text) : 0;
	if (*end != ':' || parse_number(&number, end + 1, &end, err) < 0)
		return error_set(err, "'%s' is not NUMBER:VALUE", text);
	words_add(words, number);
	return 0;
}

static int parse_list(struct words *words, enum play_list list, char *text, struct error *err)
{
	for (char *next, *item = strtok_r(text, ",", &next); item; item = strtok_r(NULL, ",", &next))
		if (parse_item(words, list, item, err) < 0)
			return -1;
	return 0;
}

static int set_record(struct play_record *record, const char *key, char *value, struct error *err)
{
	const int number = find_word(numbers, PLAY_NUMBERS, key);
	const int list = find_word(lists, PLAY_LISTS, key);
	char *end;

	if (list >= 0)
		return parse_list(&record->lists[list], (enum play_list)list, value, err);
	if (number >= 0) {
		if (parse_number(&record->numbers[number], value, &end, err) < 0)
			return -1;
		return *end ? error_set(err, "'%s' is not a number", value) : 0;
	}
	if (strcmp(key, "name") != 0)
		return error_set(err, "no record has '%s'", key);
	free(record->name);
	record->name = xstrdup(value);
	return 0;
}

static int set_errno_value(struct play_refusal *refusal, const char *value, struct error *err)
{
	for (size_t i = 0; i < sizeof(errnos) / sizeof(errnos[0]); i++)
		if (strcmp(errnos[i].name, value) == 0) {
			refusal->errno_value = errnos[i].value;
			return 0;
		}
	return error_set(err, "'%s' is not the name of an errno that is known here", value);
}

static int set_refusal(struct play_refusal *refusal, const char *key, const char *value, struct error *err)
{
	uint64_t number;
	char *end;

	if (strcmp(key, "errno") == 0)
		return set_errno_value(refusal, value, err);
	if (strcmp(key, "branch") == 0) {
		refusal->branch = branch_filter_bit(value, strlen(value));
		return refusal->branch ? 0 : error_set(err, "'%s' is no bit of branch_sample_type", value);
	}
	if (parse_number(&number, value, &end, err) < 0)
		return -1;
	if (strcmp(key, "after") == 0)
		refusal->after = (int64_t)number;
	else if (strcmp(key, "cpu") == 0)
		refusal->cpu = (int64_t)number;
	else if (strcmp(key, "type") == 0)
		refusal->type = (int64_t)number;
	else if (strcmp(key, "precise") == 0)
		refusal->precise = (int64_t)number;
	else if (strcmp(key, "member") == 0)
		refusal->member = (int64_t)number;
	else if (strcmp(key, "map_above") == 0)
		refusal->map_above_bytes = number;
	else
		return error_set(err, "no refusal has '%s'", key);
	return 0;
}

static int set_file(struct play_file *file, const char *key, const char *value, struct error *err)
{
	char **place = strcmp(key, "path") == 0 ? &file->path : &file->text;

	if (place == &file->text && strcmp(key, "text") != 0)
		return error_set(err, "no file has '%s'", key);
	free(*place);
	*place = xstrdup(value);
	return 0;
}

static struct play_record *add_record(struct play_script *script, enum play_kind kind)
{
	struct play_record *record;

	script->records = array_grow(script->records, &script->record_capacity, script->record_count + 1,
				     sizeof(*script->records));
	record = &script->records[script->record_count++];
	*record = (struct play_record){ .kind = kind };
	return record;
}

static struct play_refusal *add_refusal(struct play_script *script)
{
	struct play_refusal *refusal;

	script->refusals = array_grow(script->refusals, &script->refusal_capacity, script->refusal_count + 1,
				      sizeof(*script->refusals));
	refusal = &script->refusals[script->refusal_count++];
	*refusal = (struct play_refusal){ .after = -1, .cpu = -1, .type = -1, .precise = -1, .member = -1 };
	return refusal;
}

static struct play_file *add_file(struct play_script *script)
{
	script->files = array_grow(script->files, &script->file_capacity, script->file_count + 1,
				   sizeof(*script->files));
	script->files[script->file_count] = (struct play_file){ 0 };
	return &script->files[script->file_count++];
}

static int read_line(struct play_script *script, char *line, struct error *err)
{
	char *next, *word = strtok_r(line, " \t\n", &next);
	const int kind = word ? find_word(kinds, sizeof(kinds) / sizeof(kinds[0]), word) : -1;
	struct play_record *record = NULL;
	struct play_refusal *refusal = NULL;
	struct play_file *file = NULL;

	if (!word || word[0] == '#')
		return 0;
	if (kind >= 0)
		record = add_record(script, (enum play_kind)kind);
	else if (strcmp(word, "refuse") == 0)
		refusal = add_refusal(script);
	else if (strcmp(word, "file") == 0)
		file = add_file(script);
	else if (strcmp(word, "machine") != 0)
		return error_set(err, "'%s' begins no line", word);
	while ((word = strtok_r(NULL, " \t\n", &next))) {
		char *value = strchr(word, '=');

		if (!record && !refusal && !file) {
			free(script->machine);
			script->machine = xstrdup(word);
			continue;
		}
		if (!value)
			return error_set(err, "'%s' is not KEY=VALUE", word);
		*value++ = '\0';
		if (record ? set_record(record, word, value, err) < 0 :
		    file   ? set_file(file, word, value, err) < 0 :
			     set_refusal(refusal, word, value, err) < 0)
			return -1;
	}
	return 0;
}

int play_script_read(struct play_script *script, FILE *in, struct error *err)
{
	char *line = NULL;
	size_t capacity = 0, number = 0;
	int result = 0;

	*script = (struct play_script){ 0 };
	while (result == 0 && getline(&line, &capacity, in) >= 0) {
		struct error cause = { 0 };

		number++;
		result = read_line(script, line, &cause);
		if (result < 0)
			error_set(err, "line %zu: %s", number, cause.message);
	}
	free(line);
	if (result < 0)
		play_script_fini(script);
	return result;
}

void play_script_fini(struct play_script *script)
{
	for (size_t i = 0; i < script->record_count; i++) {
		for (size_t list = 0; list < PLAY_LISTS; list++)
			free(script->records[i].lists[list].items);
		free(script->records[i].name);
	}
	for (size_t i = 0; i < script->file_count; i++) {
		free(script->files[i].path);
		free(script->files[i].text);
	}
	free(script->records);
	free(script->files);
	free(script->refusals);
	free(script->machine);
	*script = (struct play_script){ 0 };
}
