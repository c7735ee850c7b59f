#include "cli/suggest.h"

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

unsigned suggest_distance(const char *one, const char *other)
{
	size_t rows = word_length(one), columns = word_length(other);
	unsigned distance[MAX_WORD + 1][MAX_WORD + 1];

	for (size_t i = 0; i <= rows; i++)
		distance[i][0] = (unsigned)i;
	for (size_t j = 0; j <= columns; j++)
		distance[0][j] = (unsigned)j;

	for (size_t i = 1; i <= rows; i++) {
		for (size_t j = 1; j <= columns; j++) {
			unsigned replaced = distance[i - 1][j - 1] + (one[i - 1] != other[j - 1]);
			unsigned best = least(replaced, least(distance[i - 1][j], distance[i][j - 1]) + 1);

			if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
				best = least(best, distance[i - 2][j - 2] + 1);
			distance[i][j] = best;
		}
	}
	return distance[rows][columns];
}

void suggestion_init(struct suggestion *suggestion, const char *typed)
{
	*suggestion = (struct suggestion){ .typed = typed };
}

void suggestion_offer(struct suggestion *suggestion, const char *word)
{
	unsigned distance = suggest_distance(suggestion->typed, word);
	unsigned tolerated = (unsigned)((word_length(suggestion->typed) + 2) / 3);

	if (distance > tolerated || distance >= word_length(word))
		return;
	if (suggestion->nearest[0] && distance >= suggestion->distance)
		return;
	snprintf(suggestion->nearest, sizeof(suggestion->nearest), "%s", word);
	suggestion->distance = distance;
}
