#ifndef XPROF_TEST_FUZZ_IMPORT_SEEDS_H
#define XPROF_TEST_FUZZ_IMPORT_SEEDS_H

/* Writes import.FORMAT for each format that can be imported, as xprof export does, but never compressed. */
void import_seeds_write(const char *directory);

#endif
