package import SluiceReadings

extension SourceSettings {
  /// Reports that a chip or device was removed, and that it is back; nil if a removal is an error.
  package func whenRemoved(_ name: String, _ say: @escaping @Sendable (String) -> Void) -> (
    @Sendable (SluiceError?) -> Void
  )? {
    guard reconnect ?? false else { return nil }
    return { error in
      switch error?.code {
      case nil: say("\(name) is back")
      case .disconnected?:
        let device = error?.object ?? name
        say("\(device.contains(name) ? device : "\(device) (\(name))") was removed; waiting for it")
      default: say("still waiting for \(name): \(error.map(\.description) ?? "")")
      }
    }
  }
}
