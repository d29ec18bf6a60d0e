package import SluiceDevices
import SluiceReadings
import SluiceRecording
package import SluiceSystem

/// The surroundings of a ``Recording``: the places of its devices, and the receiver of its events.
package struct RecordingContext {
  /// The folders of the devices.
  package var roots = DeviceRoots()
  /// Sources of a program, besides those of the plan.
  package var sources: [any ReadingSource] = []
  /// The system calls for files.
  package var files: any FileSystem = SystemFiles()
  /// The command in the account; nil if the plan decides between `record` and `replay`.
  package var command: Account.Command?
  /// The arguments of the command, for the metadata.
  package var arguments: [String] = []
  /// Publishes what happens. Subscribe before the recording is made to get the events of its opening.
  package var events = RecordingEvents()
  /// Returns whether to stop. It is asked while the opening of a file or a trace waits.
  package var isInterrupted: @Sendable () -> Bool = { false }
  /// The clocks of the machine.
  package var clocks: any MachineClocks = SystemClocks()
  /// The clock of a replay with a rate.
  package var paceClock: any PaceClock = SystemPaceClock()

  /// Whether its plan may change while it runs (``Recording/reload(_:)``). It costs a little for each run of readings.
  package var isChangeable = false
  /// Returns the free bytes at a path; nil if they are not known.
  package var freeSpace: @Sendable (_ path: String) -> Int? = FreeSpace.system

  package init() {}

  /// - Throws: If a stop was requested, so that nothing more is opened.
  func check() throws(SluiceError) {
    if isInterrupted() {
      throw SluiceError(.interrupted, "begin", "the run", because: "it was asked to stop")
    }
  }
}
