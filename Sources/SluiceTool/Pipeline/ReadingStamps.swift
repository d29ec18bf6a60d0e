import SluiceExtras
import SluiceRecording

/// A reading's own stream and time: what the operators go by.
struct ReadingStamps: ElementStamps {
  func key(of reading: Reading) -> StreamID? { reading.stream == .none ? nil : reading.stream }
  func time(of reading: Reading) -> Int64 { reading.time }
}
