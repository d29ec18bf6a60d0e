package import SluiceReadings

extension SourceSettings {
  /// Reports that a chip or device was removed, and that it is back; nil if a removal is an error.
  package func whenRemoved(_ name: String, _ tell: @escaping @Sendable (RecordingEvent.Kind) -> Void) -> (
    @Sendable (SluiceError?) -> Void
  )? {
    guard reconnect ?? false else { return nil }
    return { error in
      guard let error else { return tell(.sourceBack(name: name)) }
      tell(
        error.code == .disconnected
          ? .sourceRemoved(name: name, device: error.object) : .sourceAway(name: name, error))
    }
  }
}
