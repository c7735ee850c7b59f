#ifndef XPROF_TEST_SUPPORT_CFI_BUILDER_H
#define XPROF_TEST_SUPPORT_CFI_BUILDER_H

/*
 * ELF files with call frame information for tests, byte by byte; 32 bits for EM_386. Code is at vaddr CFI_CODE, all zeros
 * unless given.
 */

#include "base/strbuf.h"
#include "elf/elf_file.h"

enum { CFI_CODE = 0x1000, CFI_CODE_BYTES = 0x1000, CFI_FRAME = 0x4000, CFI_HDR = 0x10000, CFI_MAX_FDES = 16 };

struct cfi_builder {
	uint16_t machine;
	bool is_eh_frame; /* false: .debug_frame */
	bool with_hdr;    /* .eh_frame_hdr with a table of the FDEs, sorted by start */
	bool swap;
	uint8_t version;          /* of CIEs; default 1 */
	const char *augmentation; /* default "zR"; for .debug_frame "" */
	uint64_t code_alignment;  /* default 1 */
	int64_t data_alignment;   /* default -8; for EM_386 -4 */
	uint8_t ra_column;
	uint64_t entry;      /* e_entry of a program; 0: the file is a library */
	const uint8_t *code; /* first instructions; the rest is zeros */
	size_t code_size;
	const char *code_section; /* a section of its own for the first instructions; NULL: none */
	struct strbuf frames;
	struct {
		uint64_t start;
		uint64_t offset;
	} fdes[CFI_MAX_FDES];
	size_t fde_count;
};

/* Defaults to .eh_frame with a table. Change fields before adding anything. */
void cfi_builder_init(struct cfi_builder *builder, uint16_t machine);
void cfi_builder_fini(struct cfi_builder *builder);

/* Returns the offset of the new CIE. */
uint64_t cfi_builder_cie(struct cfi_builder *builder, const void *program, size_t size);

/*
 * Adds a CIE with the usual rule at the start of a function: CFA = sp + 8 (EM_386: 4) with the return address below it;
 * aarch64: CFA = sp.
 */
uint64_t cfi_builder_usual_cie(struct cfi_builder *builder);

/* With a table, add FDEs in the order of their starts. */
void cfi_builder_fde(struct cfi_builder *builder, uint64_t cie, uint64_t start, uint64_t end,
		     const void *program, size_t size);

/* The contents of .eh_frame_hdr for CFI_HDR, with .eh_frame at CFI_FRAME. */
void cfi_builder_hdr(const struct cfi_builder *builder, struct strbuf *hdr);

/* Returns the file's bytes, malloc()ed. */
uint8_t *cfi_builder_bytes(struct cfi_builder *builder, size_t *size);
struct elf_file *cfi_builder_file(struct cfi_builder *builder);

#endif
