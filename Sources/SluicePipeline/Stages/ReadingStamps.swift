import SluiceExtras
package import SluiceReadings

/// The stream and the time of a reading, for the operators.
package struct ReadingStamps: ElementStamps {
  // The reading is accessed once: with two accesses, the compiler makes a copy of it (130 instructions).
  package func key(of reading: Reading) -> StreamID? {
    let stream = reading.stream
    return stream == .none ? nil : stream
  }
  package func time(of reading: Reading) -> Int64 { reading.time }
}
