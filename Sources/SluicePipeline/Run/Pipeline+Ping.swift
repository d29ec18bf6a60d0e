import SluiceRecording

extension Pipeline {
  /// Calls back when the writers of all outputs have answered, one after the other.
  func ping(_ answered: @escaping @Sendable () -> Void) { Self.ping(branches.map(\.sink)[...], answered) }

  private static func ping(_ sinks: ArraySlice<RecordingSink>, _ answered: @escaping @Sendable () -> Void) {
    guard let sink = sinks.first else { return answered() }
    sink.ping { ping(sinks.dropFirst(), answered) }
  }
}
