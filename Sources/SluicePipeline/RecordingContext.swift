import SluiceDevices
import SluiceReadings

/// What a ``Recording`` is surrounded by: where devices are, and who is told what.
package struct RecordingContext: Sendable {
  /// Where devices are.
  package var roots = DeviceRoots()
  /// The arguments of the command, for the metadata.
  package var arguments: [String] = []
  /// Told what a source does meanwhile: that a device was removed, that it is back, what was restored.
  package var say: @Sendable (String) -> Void = { _ in }
  /// Told what is good to know, and is not said to whoever wants to hear of errors only.
  package var note: @Sendable (String) -> Void = { _ in }
  /// Told each error of a source or an output when it happens.
  package var failed: @Sendable (SluiceError) -> Void = { _ in }
  /// Asked while something is opened that may keep it waiting.
  package var isInterrupted: @Sendable () -> Bool = { false }

  package init(failed: @escaping @Sendable (SluiceError) -> Void = { _ in }) { self.failed = failed }

  /// - Throws: If the run was asked to stop, so that nothing more is opened.
  func check() throws(SluiceError) {
    if isInterrupted() {
      throw SluiceError(.interrupted, "begin", "the run", because: "it was asked to stop")
    }
  }
}
