#include "czstd.h"

CZSTD_FUNCTIONS(LIBRARY_POINTER)

LIBRARY(czstd_load, library_is_begun, LIBRARY_NAMES("libzstd.so.1"), CZSTD_FUNCTIONS(LIBRARY_WANTED))
