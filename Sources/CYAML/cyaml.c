#include "cyaml.h"

CYAML_FUNCTIONS(LIBRARY_POINTER)

LIBRARY(cyaml_load, library_is_begun, LIBRARY_NAMES("libyaml-0.so.2"), CYAML_FUNCTIONS(LIBRARY_WANTED))
