import SluiceRecording

extension Pipeline {
  /// Asks the writers of all outputs, one after the other, and calls back when all have answered.
  func ping(_ answered: @escaping @Sendable () -> Void) { Self.ping(branches.map(\.sink)[...], answered) }

  private static func ping(_ sinks: ArraySlice<RecordingSink>, _ answered: @escaping @Sendable () -> Void) {
    guard let sink = sinks.first else { return answered() }
    sink.ping { ping(sinks.dropFirst(), answered) }
  }
}
