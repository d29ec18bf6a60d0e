// What Swift's runtime and libstdc++.a of Debian 13 take from its glibc, and glibc 2.36 of Debian 12 does not have. It is
// linked into the package for Debian 12 alone (Packaging/debian13). Another function that is missing fails the link.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Headers since glibc 2.38 give these names to strtol and its siblings. They differ in one thing: with base 0 or 2, they
// read binary numbers of C23, such as 0b101, which these do not. With base 0 are read: variables of the environment that
// are for debugging Swift's runtime and libstdc++. They are written as for other programs of Debian 12, 5 or 0x5.
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }

// The same for %i. Swift's runtime and libdispatch read files of /proc by it, without %i.
int __isoc23_sscanf(const char *text, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	int count = vsscanf(text, format, values);
	va_end(values);
	return count;
}

// Since glibc 2.38. libdispatch copies texts by it.
size_t strlcpy(char *target, const char *source, size_t size)
{
	size_t length = strlen(source);
	if (size > 0) {
		size_t copied = length < size ? length : size - 1;
		memcpy(target, source, copied);
		target[copied] = 0;
	}
	return length;
}
