#include "library.h"

#include <dlfcn.h>
#include <string.h>

/* The text of dlerror(3) does not stay. */
static const char *why(void)
{
	const char *said = dlerror();
	const char *kept = strdup(said ? said : "dlerror(3) gives no reason");

	return kept ? kept : "there is not enough memory";
}

const char *library_load(const char *const *names, const struct library_function *functions)
{
	void *library = NULL;

	for (; *names && !library; names++)
		library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return why();
	for (; functions->name; functions++) {
		*functions->pointer = dlsym(library, functions->name);
		if (!*functions->pointer && !functions->is_optional)
			return why();
	}
	return NULL;
}
