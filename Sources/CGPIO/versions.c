/* The newest version of libgpiod that is installed. */
#include "versions.h"

static const struct cgpio_version *used = &cgpio_v2;

static const char *find(void)
{
	const char *failure = cgpio_v2.load();

	if (!failure)
		return NULL;
	used = &cgpio_v1;
	return cgpio_v1.load();
}

static const char *failure;
static void find_once(void) { failure = find(); }

const char *cgpio_load(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_once);
	return failure;
}

#define DISPATCH(type, name, parameters, arguments)                                                                  \
	type cgpio_##name parameters { return used->name arguments; }
CGPIO_FUNCTIONS(DISPATCH)
