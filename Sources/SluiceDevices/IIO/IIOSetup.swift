import SluiceRecording

/// What was asked for, from which a capture can be made again after the device was removed.
struct IIOSetup {
  /// By id, number, name or label.
  let device: String
  let channels: [String]
  let options: IIOOptions
  let roots: DeviceRoots

  func capture() throws(SluiceError) -> IIOCapture {
    try IIOCapture(try IIODevice.find(device, roots: roots), channels: channels, options: options, roots: roots)
  }

  /// The same device again; nil as long as it is not there, or not yet to be used.
  ///
  /// - Throws: Where something of that name is there whose scans are others: they would be taken for what they are not.
  func capture(like before: IIOCapture) throws(SluiceError) -> IIOCapture? {
    do throws(SluiceError) {
      let found = try IIODevice.find(device, roots: roots)
      guard found.name == before.device.name else { return nil }
      let capture = try IIOCapture(found, channels: channels, options: options, roots: roots)
      guard capture.channels == before.channels, capture.layout == before.layout else {
        throw SluiceError(
          .unsupported, "go on with", "\(found.name) (\(found.id))",
          because: "it came back with other channels, formats or scales", remedy: "start anew")
      }
      return capture
    } catch {
      switch error.code {
      // It comes and goes file by file, and a udev rule takes a moment to give it to a group.
      case .notFound, .disconnected, .permissionDenied, .busy, .failed: return nil
      default: throw error
      }
    }
  }
}
