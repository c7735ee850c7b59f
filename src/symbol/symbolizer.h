#ifndef XPROF_SYMBOL_SYMBOLIZER_H
#define XPROF_SYMBOL_SYMBOLIZER_H

/*
 * From (object, address) to a function name. Objects are opened once, keyed by
 * what they are, and their symbol tables are loaded on the first question. One
 * thread at a time: a first question loads, a first name is demangled.
 *
 * Addresses are in the object's *map space*, which is what a profile keeps:
 *   SYMBOL_OBJECT_ELF, _VDSO   file offsets (runtime address - map start + map file offset)
 *   SYMBOL_OBJECT_JITDUMP      file offsets of the instructions in the jitdump file
 *   SYMBOL_OBJECT_KERNEL,
 *   _MODULE, _PERF_MAP         runtime addresses
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "elf/build_id.h"
#include "symbol/source_index.h"

struct symbolizer;
struct symbol_table;

enum symbol_object_kind {
	SYMBOL_OBJECT_ELF,    /* a file: program, library */
	SYMBOL_OBJECT_VDSO,   /* [vdso]: read out of this process when the build-id agrees */
	SYMBOL_OBJECT_KERNEL, /* the kernel proper: kallsyms, System.map or vmlinux; BPF programs in it too */
	SYMBOL_OBJECT_MODULE, /* a kernel module */
	SYMBOL_OBJECT_PERF_MAP, /* JIT code of process `pid`: /tmp/perf-PID.map */
	SYMBOL_OBJECT_JITDUMP,  /* JIT code that process `pid` described in the jitdump file at `path` */
};

struct symbol_object {
	enum symbol_object_kind kind;
	const char *path;         /* as recorded: of a module its file, or its name in brackets */
	struct build_id build_id; /* size 0: unknown, the file at `path` is believed */
	uint32_t pid;             /* SYMBOL_OBJECT_PERF_MAP and _JITDUMP only */
	uint32_t pids[3];         /* SYMBOL_OBJECT_ELF: processes that mapped it, up to a 0 */
	/*
	 * SYMBOL_OBJECT_KERNEL, both from the kernel's MMAP record
	 * ("[kernel.kallsyms]_text", its pgoff): the symbol by which the kernel's
	 * place in memory was recorded, and where that was. NULL: not known, and
	 * symbols of a vmlinux or System.map are taken for not relocated (KASLR).
	 * SYMBOL_OBJECT_MODULE: no symbol; where the module's code began.
	 */
	const char *relocation_symbol; /* "_text" or "_stext" */
	uint64_t relocation_address;
};

struct symbolizer_options {
	const char *symfs;             /* NULL or a directory prefix */
	const char *const *debug_dirs; /* NULL: { "/usr/lib/debug" } */
	const char *debuginfod_cache;  /* NULL, or where debuginfod clients keep their downloads */
	const char *kallsyms_path; /* kallsyms or System.map; NULL: /proc/kallsyms if its kernel was recorded */
	/* If given, its names come before those of kallsyms for the kernel proper. Its lines, or those of the vmlinux
	 * with the recorded build-id that is found, always count. */
	const char *vmlinux_path;
	const char *kernel_release;    /* of the recorded kernel, as uname -r gives it; NULL: not known */
	bool kernel_is_running_kernel; /* the recording was made on this boot: /proc/kallsyms may be believed */
	bool cache;                    /* source lines are kept for the next time, see source_cache.h */
	bool demangle;                 /* default of the tool: true */
	bool demangle_parameters;      /* perf: --demangle keeps parameters only in verbose mode; false */
};

struct symbol {
	const char *name; /* demangled if so asked; lives as long as the symbolizer */
	uint64_t start;   /* map space of the object */
	uint64_t end;     /* first address behind it */
	bool is_plt;
	bool is_local; /* STB_LOCAL */
};

struct symbolizer *symbolizer_create(const struct symbolizer_options *options);
void symbolizer_destroy(struct symbolizer *symbolizer);

/* Of its options; "" for none. */
const char *symbolizer_symfs(const struct symbolizer *symbolizer);

/*
 * Never NULL. Equal objects (by build-id, else path) give the same table.
 * Nothing is read before the first symbol_table_find(). The kernel's own object
 * comes before those of its modules: where it was decides whether they are
 * still where they were.
 */
struct symbol_table *symbolizer_table(struct symbolizer *symbolizer, const struct symbol_object *object);

/*
 * Hints, before the first question. What can be read without knowing what will be asked: files are opened, the kernel's
 * list is read.
 */
void symbol_table_open(struct symbol_table *table);
/* These addresses will be asked for: a large file's other symbols are not looked at until one of them is. Adds up. */
void symbol_table_want(struct symbol_table *table, const uint64_t *addresses, size_t count);

/* 1 and *symbol filled, or 0: nothing is known at this address. */
int symbol_table_find(struct symbol_table *table, uint64_t address, struct symbol *symbol);

/*
 * Source of an address, innermost first: what was inlined there, and last the function that was compiled, which
 * symbol_table_find() may know by a better name. 0: there is no debug information that knows. Frames are valid
 * until the next question, texts as long as the symbolizer.
 */
size_t symbol_table_find_source(struct symbol_table *table, uint64_t address,
				const struct source_frame **frames);

/* Looks up the source of many addresses at once, which is a lot faster than one by one. */
void symbol_table_prepare_source(struct symbol_table *table, const uint64_t *addresses, size_t count);

/*
 * After the first find: where the names came from ("/usr/lib/debug/….debug", "/proc/kallsyms"), or NULL when
 * nothing could be loaded; and then *why is a one-line reason with the remedy ("build-id of /usr/bin/x is …, the
 * recording has …: the file was replaced since").
 */
const char *symbol_table_source(const struct symbol_table *table, const char **why);

/* After the first find, of a file: has it, or has its debug file, a symbol table with all of its functions? */
bool symbol_table_is_full(const struct symbol_table *table);

/* Is there debug information, for symbol_table_find_source()? */
bool symbol_table_has_lines(struct symbol_table *table);

#endif
