extension GPIOOptions {
  /// The edges that the kernel keeps.
  /// - Parameter lines: The number of lines of one chip.
  package func kernelQueue(lines: Int) -> KernelQueue {
    // libgpiod 2 has one FIFO for all lines of a chip.
    let isShared = GPIOChips.libraryVersion.map { !$0.hasPrefix("1.") } ?? true
    let capacity = isShared ? GPIORequest.capacity(asked: fifo ?? 1_024) : GPIORequest.defaultCapacity * max(1, lines)
    // Edges gather until a quarter is full: ``EdgeGathering``.
    return .readings(capacity: capacity, waiting: capacity / 4)
  }
}
