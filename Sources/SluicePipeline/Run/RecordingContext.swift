package import SluiceDevices
package import SluiceReadings
import SluiceRecording
package import SluiceSystem

/// The surroundings of a ``Recording``: the places of its devices, and the receivers of its messages.
package struct RecordingContext: Sendable {
  /// The folders of the devices.
  package var roots = DeviceRoots()
  /// The system calls for files.
  package var files: any FileSystem = SystemFiles()
  /// The command in the account; nil if the plan decides between `record` and `replay`.
  package var command: Account.Command?
  /// The arguments of the command, for the metadata.
  package var arguments: [String] = []
  /// Called with messages of sources: a removed device, its return, restored settings.
  package var say: @Sendable (String) -> Void = { _ in }
  /// Called with messages that a quiet run leaves out.
  package var note: @Sendable (String) -> Void = { _ in }
  /// Called with the details of a verbose run: devices, files, and their settings.
  package var detail: @Sendable (String) -> Void = { _ in }
  /// Called with each error of a source or an output when it happens.
  package var failed: @Sendable (SluiceError) -> Void = { _ in }
  /// Returns whether to stop. It is asked while the opening of a file or a trace waits.
  package var isInterrupted: @Sendable () -> Bool = { false }
  /// The clocks of the machine.
  package var clocks: any MachineClocks = SystemClocks()
  /// The clock of a replay with a rate.
  package var paceClock: any PaceClock = SystemPaceClock()

  /// Returns the free bytes at a path; nil if they are not known.
  package var freeSpace: @Sendable (_ path: String) -> Int? = FreeSpace.system

  package init(failed: @escaping @Sendable (SluiceError) -> Void = { _ in }) { self.failed = failed }

  /// - Throws: If a stop was requested, so that nothing more is opened.
  func check() throws(SluiceError) {
    if isInterrupted() {
      throw SluiceError(.interrupted, "begin", "the run", because: "it was asked to stop")
    }
  }
}
