/// Readings of one stream are often neighbours. What is looked up for a stream is then looked up once for all of them.
extension UnsafeBufferPointer<Reading> {
  /// The index behind the neighbours that have the stream of the reading at `start`.
  @inlinable package func endOfNeighbours(from start: Int) -> Int {
    let stream = self[start].stream
    var end = start + 1
    while end < count, self[end].stream == stream { end += 1 }
    return end
  }

  /// Calls the closure for each group of neighbours.
  @inlinable package func forEachStream(_ body: (StreamID, UnsafeBufferPointer<Reading>) -> Void) {
    var start = 0
    while start < count {
      let end = endOfNeighbours(from: start)
      body(self[start].stream, UnsafeBufferPointer(rebasing: self[start..<end]))
      start = end
    }
  }
}
