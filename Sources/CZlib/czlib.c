#include "czlib.h"

CZLIB_FUNCTIONS(LIBRARY_POINTER)

LIBRARY(czlib_load, library_is_begun, LIBRARY_NAMES("libz.so.1"), CZLIB_FUNCTIONS(LIBRARY_WANTED))
