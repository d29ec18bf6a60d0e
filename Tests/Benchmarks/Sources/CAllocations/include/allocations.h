// How many blocks of memory this program has been given so far.
#pragma once

long allocations(void);
