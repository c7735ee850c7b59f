/*
 * align() fills the table of optimal string alignment, whose last row also answers for all beginnings of the other word.
 * rank_of() turns a distance into a rank in which a whole word beats a beginning of equal distance.
 */
#include "cli/suggest.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WORD = SUGGEST_WORD_SIZE - 1 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static size_t word_length(const char *word)
{
	return strnlen(word, MAX_WORD);
}

struct alignment {
	unsigned distance[SUGGEST_WORD_SIZE]
			 [SUGGEST_WORD_SIZE]; /* [i][j]: the first i letters to the first j */
	size_t rows, columns;
};

static void align(struct alignment *table, const char *one, const char *other)
{
	table->rows = word_length(one);
	table->columns = word_length(other);
	for (size_t i = 0; i <= table->rows; i++)
		table->distance[i][0] = (unsigned)i;
	for (size_t j = 0; j <= table->columns; j++)
		table->distance[0][j] = (unsigned)j;

	for (size_t i = 1; i <= table->rows; i++) {
		for (size_t j = 1; j <= table->columns; j++) {
			unsigned replaced = table->distance[i - 1][j - 1] + (one[i - 1] != other[j - 1]);
			unsigned dropped = least(table->distance[i - 1][j], table->distance[i][j - 1]) + 1;
			unsigned best = least(replaced, dropped);

			if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
				best = least(best, table->distance[i - 2][j - 2] + 1);
			table->distance[i][j] = best;
		}
	}
}

unsigned suggest_distance(const char *one, const char *other)
{
	struct alignment table;

	align(&table, one, other);
	return table.distance[table.rows][table.columns];
}

unsigned suggest_prefix_distance(const char *one, const char *other)
{
	struct alignment table;
	unsigned best;

	align(&table, one, other);
	best = table.distance[table.rows][0];
	for (size_t j = 1; j <= table.columns; j++)
		best = least(best, table.distance[table.rows][j]);
	return best;
}

void suggestion_init(struct suggestion *suggestion, const char *typed)
{
	*suggestion = (struct suggestion){ .typed = typed };
}

/* Lower is nearer; UINT_MAX: too far. A whole word beats a beginning of equal distance. */
static unsigned rank_of(const char *typed, const char *word)
{
	unsigned length = (unsigned)word_length(typed);
	unsigned distance = suggest_distance(typed, word);

	if (distance <= (length + 2) / 3 && distance < word_length(word))
		return 2 * distance;
	distance = suggest_prefix_distance(typed, word);
	if (distance <= length / 4 && length > 1)
		return 2 * distance + 1;
	return UINT_MAX;
}

void suggestion_offer(struct suggestion *suggestion, const char *word)
{
	unsigned rank = rank_of(suggestion->typed, word);

	if (rank == UINT_MAX || (suggestion->nearest[0] && rank >= suggestion->rank))
		return;
	snprintf(suggestion->nearest, sizeof(suggestion->nearest), "%s", word);
	suggestion->rank = rank;
}
