#include "carchive.h"

CARCHIVE_FUNCTIONS(LIBRARY_POINTER)

LIBRARY(carchive_load, library_is_begun, LIBRARY_NAMES("libarchive.so.13"), CARCHIVE_FUNCTIONS(LIBRARY_WANTED))
