import SluiceExtras
package import SluiceReadings

/// A reading's own stream and time: what the operators go by.
package struct ReadingStamps: ElementStamps {
  // One access to the reading: with two, the compiler makes a copy of it (130 instructions).
  package func key(of reading: Reading) -> StreamID? {
    let stream = reading.stream
    return stream == .none ? nil : stream
  }
  package func time(of reading: Reading) -> Int64 { reading.time }
}
