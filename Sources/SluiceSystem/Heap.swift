import CHeap

/// Keeps the heap small. To be called before there are several threads.
///
/// All threads allocate from one heap. The C library otherwise gives threads heaps of their own, up to eight per core, and
/// what was freed in one is no room for another: a recorder of three sources had 1.4 MB more resident with them, and grew by
/// another 3 MB in its first minutes. Small allocations come from a cache of each thread, so threads hardly wait for each
/// other. Large allocations, such as a buffer that was full, go back to the system when they are freed. The C library
/// otherwise stops to do so after the first of them.
/// Source: mallopt(3), `M_ARENA_MAX`, `M_MMAP_THRESHOLD`, `M_TRIM_THRESHOLD`.
package func limitHeap() { cheap_limit() }

/// Gives unused pages within the heap back to the system, such as those of a buffer that was full. Otherwise only those at its end go
/// back. It takes less than a millisecond for a heap of some megabytes.
/// Source: malloc_trim(3).
package func trimHeap() { cheap_trim() }

/// Unmaps the instructions of the program. What runs is mapped again at its next use, 16 pages at a time, from the page cache: no
/// disk is read. What only the start needed stays away: two thirds of it.
/// Source: madvise(2), `MADV_DONTNEED` of a file.
package func releaseProgram() { cheap_release_program() }
