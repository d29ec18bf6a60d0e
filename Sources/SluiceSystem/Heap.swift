import CLinux

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

/// Unmaps the instructions of the program. What runs is mapped again at its next use, 16 pages at a time, from the page cache.
/// What only the start needed stays away: half of it. Nothing is done unless the whole range is a file as it is: a packed
/// program, an emulator or a breakpoint would have pages of its own there.
/// Source: madvise(2), `MADV_DONTNEED` of a file; proc(5), `smaps`.
/// - Returns: Whether it was done.
@discardableResult package func releaseProgram() -> Bool {
  var (first, end) = (0, 0)
  cheap_program(&first, &end)
  guard first < end, let maps = procText("/proc/self/smaps"), isFile(first..<end, maps)
  else { return false }
  cheap_unmap(first, end)
  return true
}

/// Whether all that is mapped in a range are files, without pages of their own, that cannot be written.
///
/// What is only read stands in front of the instructions, in a mapping of its own, and what `Packaging/strip` has removed leaves a
/// hole between them. The kernel skips a hole.
/// - Parameter maps: The text of `/proc/self/smaps`.
func isFile(_ range: Range<Int>, _ maps: String) -> Bool {
  var (isMapped, isInRange) = (false, false)
  for line in maps.split(separator: "\n") {
    let words = line.split(separator: " ")
    let bounds = words.first.map { $0.split(separator: "-").compactMap { Int($0, radix: 16) } } ?? []
    if bounds.count == 2, words.count > 4 {
      isInRange = bounds[0] < range.upperBound && bounds[1] > range.lowerBound
      guard isInRange else { continue }
      guard ["r-xp", "r--p"].contains(words[1]), words[4] != "0" else { return false }
      isMapped = true
    } else if isInRange, words.first == "Anonymous:", words[1] != "0" {
      return false
    }
  }
  return isMapped
}
