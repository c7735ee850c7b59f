/*
 * libdw reads ELF files, not bytes in memory. make_elf() therefore builds an ELF file in memory with libelf and points its
 * sections at the bytes, which are neither copied nor written. Strings are checked to end within their section, which libdw
 * 0.188 does not do.
 */
#include "symbol/dwarf/dwarf_handle.h"

#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

static bool add_section(Elf *elf, int name, uint32_t type, const void *bytes, size_t size)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = section ? elf_newdata(section) : NULL;
	GElf_Shdr header = { .sh_name = (uint32_t)name * sizeof(dwarf_section_names[0]),
			     .sh_type = type,
			     .sh_size = size,
			     .sh_addralign = 1 };

	if (!data || !gelf_update_shdr(section, &header))
		return false;
	data->d_buf = (void *)bytes; /* never written to */
	data->d_size = size;
	data->d_type = ELF_T_BYTE;
	data->d_version = EV_CURRENT;
	return true;
}

static bool set_header(Elf *elf, const struct dwarf_sections *sections)
{
	const bool little_endian = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != sections->swap;
	GElf_Ehdr header;

	if (!gelf_newehdr(elf, sections->is_64bit ? ELFCLASS64 : ELFCLASS32) || !gelf_getehdr(elf, &header))
		return false;
	header.e_ident[EI_DATA] = little_endian ? ELFDATA2LSB : ELFDATA2MSB;
	header.e_version = EV_CURRENT;
	header.e_shstrndx = 1;
	return gelf_update_ehdr(elf, &header);
}

/*
 * Makes an ELF file that is never written. Its sections may be anywhere in memory, so nothing is copied, and sections that
 * were compressed, relocated or in a package all look the same to libdw.
 */
static Elf *make_elf(const struct dwarf_sections *sections)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_WRITE, NULL) : NULL;
	bool ok = elf && set_header(elf, sections) &&
		  add_section(elf, DWARF_SECTION_COUNT, SHT_STRTAB, dwarf_section_names,
			      sizeof(dwarf_section_names));

	for (int id = 0; id < DWARF_SECTION_COUNT; id++)
		if (ok && sections->at[id].size)
			ok = add_section(elf, id, SHT_PROGBITS, sections->at[id].bytes,
					 sections->at[id].size);
	if (elf)
		(void)elf_cntl(
			elf,
			ELF_C_FDDONE); /* also keeps libdw from looking for other files next to this one */
	if (fd >= 0)
		close(fd);
	if (ok)
		return elf;
	elf_end(elf);
	return NULL;
}

static Dwarf *begin(const struct dwarf_sections *sections, Elf **elf)
{
	*elf = make_elf(sections);
	return *elf ? dwarf_begin_elf(*elf, DWARF_C_READ, NULL) : NULL;
}

int dwarf_handle_open(struct dwarf_handle *handle, const struct dwarf_sections *sections,
		      const struct dwarf_sections *alternate)
{
	*handle = (struct dwarf_handle){ .sections = sections, .alternate_sections = alternate };
	elf_version(EV_CURRENT);
	handle->dwarf = begin(sections, &handle->elf);
	if (!handle->dwarf) {
		dwarf_handle_close(handle);
		return -1;
	}
	if (alternate)
		handle->alternate = begin(alternate, &handle->alternate_elf);
	if (handle->alternate)
		dwarf_setalt(handle->dwarf, handle->alternate);
	return 0;
}

void dwarf_handle_close(struct dwarf_handle *handle)
{
	dwarf_end(handle->dwarf);
	dwarf_end(handle->alternate);
	elf_end(handle->elf);
	elf_end(handle->alternate_elf);
	*handle = (struct dwarf_handle){ .dwarf = NULL };
}

const char *dwarf_handle_text(const struct dwarf_handle *handle, Dwarf_Attribute *attribute)
{
	const char *text = attribute ? dwarf_formstring(attribute) : NULL;

	if (!text || !dwarf_sections_hold_text(handle->sections, text) ||
	    (handle->alternate_sections && !dwarf_sections_hold_text(handle->alternate_sections, text)))
		return NULL;
	return text;
}

const char *dwarf_handle_name(const struct dwarf_handle *handle, Dwarf_Die *entry)
{
	static const unsigned int names[] = { DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name };
	Dwarf_Attribute attribute;
	const char *text = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !text; i++)
		text = dwarf_handle_text(handle, dwarf_attr_integrate(entry, names[i], &attribute));
	return text;
}

uint64_t dwarf_handle_number(Dwarf_Die *entry, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	return dwarf_formudata(dwarf_attr(entry, name, &attribute), &number) == 0 ? number : 0;
}
