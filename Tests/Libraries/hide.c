/* For LD_PRELOAD: dlopen(3) fails for the libraries whose names are in HIDE, with spaces between them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *dlopen(const char *name, int flags)
{
	static void *(*real)(const char *, int);
	const char *hidden = getenv("HIDE");
	char path[256];

	if (!real)
		real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
	if (name && hidden && strstr(hidden, name)) {
		snprintf(path, sizeof path, "/hidden/%s", name);
		return real(path, flags);
	}
	return real(name, flags);
}
