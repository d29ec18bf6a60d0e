import SluiceRecording

extension SluiceError {
  /// Whether it may end by itself when a device that was removed comes back: it is not there yet, or udev has not given
  /// it to its group yet.
  var mayPass: Bool { [.notFound, .disconnected, .permissionDenied, .busy].contains(code) }
}
