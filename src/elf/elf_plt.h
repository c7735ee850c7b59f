#ifndef XPROF_ELF_ELF_PLT_H
#define XPROF_ELF_ELF_PLT_H

/*
 * Names for the entries of a procedure linkage table, which no symbol table has: "name@plt", as disassemblers
 * write it.
 *
 * Linkers lay these tables out in many ways (with or without a header, IBT and BTI landing pads, a second
 * table .plt.sec, entries of 8, 16 or 24 bytes, not in the order of the relocations). So entries are not
 * numbered: the instructions of each one are decoded to find the GOT slot through which they jump
 * (plt_code.h), and the relocation of that slot names the function. x86-64, i386 and aarch64.
 */

#include "elf/elf_symtab.h"

/*
 * As elf_symtab_read(): returns 1, 0 if the file has no such table or is for another machine, -1 with err set
 * if it is damaged.
 */
int elf_plt_read(struct elf_file *file, elf_symbol_visit *visit, void *context, struct error *err);

#endif
