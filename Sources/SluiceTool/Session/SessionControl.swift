import SluiceControl
import SluicePipeline
import SluiceReadings

/// The name and the socket by which `sluice ctl` controls a recording. The name is taken before anything is opened.
///
/// A recording is worth more than its control. So the recording also runs if it can have no socket, or if another
/// recording has the name of its file, and a note says why. But it does not run if another recording has the name that
/// the user gave.
final class SessionControl {
  private let socket: ControlSocket
  private let note: (SluiceError) -> Void
  private var server: ControlServer?
  private var hasEnded = false

  /// Takes the name.
  /// - Parameters:
  ///   - name: The name that the user gave; nil for the name of the first output.
  ///   - isRequired: Whether the recording does not begin without this name.
  ///   - note: Called with the reason, if there is no control.
  /// - Returns: Nil if there is no place for sockets, or if another recording has the name of the first output.
  /// - Throws: If another recording has the name that the user gave, or if this name is not allowed.
  init?(
    _ plan: RecordingPlan, name: String?, isRequired: Bool, _ surroundings: ControlPlace.Surroundings = .ofThisProcess,
    note: @escaping (SluiceError) -> Void
  ) throws(SluiceError) {
    self.note = note
    do throws(SluiceError) {
      let place = try ControlPlace.own(surroundings)
      let given = try name.map { name throws(SluiceError) in try ControlName(name) }
      socket = try ControlSocket(given ?? ControlName(outputs: plan.outputs.map(\.path)), at: place)
    } catch {
      guard error.code != .busy || name == nil, error.code != .usage || !isRequired else { throw error }
      note(error)
      return nil
    }
  }

  /// Makes the socket, and lets clients connect.
  /// - Parameters:
  ///   - reloader: Reads the plan again; nil if the plan cannot be read again.
  ///   - stopping: Called before a client stops the recording.
  func serve(
    _ recording: Recording, _ health: RecordingHealth, _ reloader: PlanReloader?,
    stopping: @escaping @Sendable () -> Void
  ) {
    let server = ControlServer(
      socket, RecordingDesk(recording, socket.name, health, reloader, stopping: stopping))
    do throws(SluiceError) {
      try server.start()
      self.server = server
    } catch {
      note(error)
    }
  }

  /// Tells the clients what became of the recording, and gives the name up: once, because another recording may have the
  /// name then.
  func end(_ sentence: String) {
    guard !hasEnded else { return }
    hasEnded = true
    if let server { server.end("\(socket.name) has ended: \(sentence)") } else { socket.close() }
    server = nil
  }
}
