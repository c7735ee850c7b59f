/*
 * Hash and equality use the same parts of an object: a file's build-id, else the path, and pid or load address for kinds
 * that need them. The helper functions say which kind needs what.
 */
#include "symbol/symbol_object.h"

#include <string.h>

#include "base/hash_table.h"

static bool is_file(const struct symbol_object *object)
{
	return object->kind == DSO_FILE || object->kind == DSO_VDSO;
}

static bool by_build_id(const struct symbol_object *object)
{
	return is_file(object) && object->build_id.size > 0;
}

static bool has_path_identity(const struct symbol_object *object)
{
	return !by_build_id(object) &&
	       (object->kind == DSO_FILE || object->kind == DSO_MODULE || object->kind == DSO_JITDUMP ||
		object->kind == DSO_UNKNOWN || object->kind == DSO_SYMFILE);
}

/* Processes in different containers may use the same path, and have the same number inside their containers. */
static uint32_t pid_identity(const struct symbol_object *object)
{
	return object->kind == DSO_ANON || object->kind == DSO_JITDUMP ? object->pid : 0;
}

/* A module that was reloaded while recording is at another address. */
static uint64_t place_identity(const struct symbol_object *object)
{
	return object->kind == DSO_MODULE ? object->relocation_address : 0;
}

uint64_t symbol_object_hash(const struct symbol_object *object)
{
	uint64_t hash = hash_u64((uint64_t)object->kind);

	if (by_build_id(object))
		return hash_combine(hash, hash_bytes(object->build_id.bytes, object->build_id.size));
	hash = hash_combine(hash, pid_identity(object));
	hash = hash_combine(hash, place_identity(object));
	if (has_path_identity(object) && object->path)
		return hash_combine(hash, hash_bytes(object->path, strlen(object->path)));
	return hash;
}

bool symbol_object_equal(const struct symbol_object *a, const struct symbol_object *b)
{
	if (a->kind != b->kind)
		return false;
	if (by_build_id(a) || by_build_id(b))
		return build_id_equal(&a->build_id, &b->build_id);
	if (pid_identity(a) != pid_identity(b) || place_identity(a) != place_identity(b))
		return false;
	return !has_path_identity(a) || strcmp(a->path ? a->path : "", b->path ? b->path : "") == 0;
}
