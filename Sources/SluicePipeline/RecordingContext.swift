package import SluiceDevices
package import SluiceReadings
package import SluiceRecording

/// The surroundings of a ``Recording``: where devices are, and who gets its messages.
package struct RecordingContext: Sendable {
  /// Where devices are.
  package var roots = DeviceRoots()
  /// The system calls that files are kept with.
  package var files: any FileSystem = SystemFiles()
  /// The command in the account; nil for `record` or `replay`, which the plan decides.
  package var command: Account.Command?
  /// The arguments of the command, for the metadata.
  package var arguments: [String] = []
  /// Gets messages of sources: that a device was removed, that it is back, what was restored.
  package var say: @Sendable (String) -> Void = { _ in }
  /// Gets messages that a quiet run leaves out.
  package var note: @Sendable (String) -> Void = { _ in }
  /// Gets the details of a verbose run: what is opened, and how.
  package var detail: @Sendable (String) -> Void = { _ in }
  /// Gets each error of a source or an output when it happens.
  package var failed: @Sendable (SluiceError) -> Void = { _ in }
  /// Asked whether to stop while opening something has to wait.
  package var isInterrupted: @Sendable () -> Bool = { false }
  /// What the machine says of its clocks.
  package var clocks: any MachineClocks = SystemClocks()
  /// The clock of a replay with a rate.
  package var paceClock: any PaceClock = SystemPaceClock()

  /// Asked how many bytes are free where a path is; nil if that is not known.
  package var freeSpace: @Sendable (_ path: String) -> Int? = FreeSpace.system

  package init(failed: @escaping @Sendable (SluiceError) -> Void = { _ in }) { self.failed = failed }

  /// - Throws: If the run was asked to stop, so that nothing more is opened.
  func check() throws(SluiceError) {
    if isInterrupted() {
      throw SluiceError(.interrupted, "begin", "the run", because: "it was asked to stop")
    }
  }
}
