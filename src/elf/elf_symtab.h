#ifndef XPROF_ELF_ELF_SYMTAB_H
#define XPROF_ELF_ELF_SYMTAB_H

/* The function symbols of an ELF file, in the file's own vaddr space. */

#include "elf/elf_file.h"

struct elf_symbol {
	const char *name;    /* as in the string table, mangled; lives as long as the file */
	uint64_t vaddr;      /* ARM: without the Thumb bit. ppc64 v1: the entry point, not the descriptor */
	uint64_t size_bytes; /* 0: unknown, up to the next symbol */
	uint8_t binding;     /* STB_* */
	uint8_t type;        /* STT_* */
};

enum elf_symtab_kind {
	ELF_SYMTAB_FULL,    /* .symtab */
	ELF_SYMTAB_DYNAMIC, /* .dynsym */
	ELF_SYMTAB_PLT,     /* made from the relocations of .plt, .plt.sec, .plt.got: "name@plt" */
};

typedef void elf_symbol_visit(const struct elf_symbol *symbol, void *context);

/* Calls visit for every symbol that can name code. 1 read, 0 the file has no such table, -1 damaged. */
int elf_symtab_read(struct elf_file *file, enum elf_symtab_kind kind, elf_symbol_visit *visit, void *context,
		    struct error *err);

/*
 * The same for .symtab and .dynsym, where `want` is asked before a symbol's name is looked at, which is most of the work.
 * What it is asked about may turn out to have no name, and so to be no symbol.
 */
typedef bool elf_symbol_want(uint64_t vaddr, uint64_t size_bytes, void *context);
int elf_symtab_read_wanted(struct elf_file *file, enum elf_symtab_kind kind, elf_symbol_want *want,
			   elf_symbol_visit *visit, void *context, struct error *err);

#endif
