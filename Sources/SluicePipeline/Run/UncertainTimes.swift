import Sluice
import SluiceReadings

extension AnyPublisher where Output == Reading, Failure == SluiceError {
  /// Flags the readings that come while the wall clock is worse than the plan allows. Use it only with such a limit,
  /// because it costs time for each reading.
  func flaggingTimes(while isUncertain: @escaping @Sendable () -> Bool) -> AnyPublisher<Reading, SluiceError> {
    map { reading in
      guard isUncertain() else { return reading }
      var uncertain = reading
      uncertain.flags.insert(.uncertainTime)
      return uncertain
    }.eraseToAnyPublisher()
  }
}
