import SluiceControl
@_spi(Preview) import SluicePipeline
import SluiceReadings

/// What lets `sluice ctl` control a recording: its name, from before anything is opened, and its socket.
///
/// A recording is worth more than its control. So what keeps the socket away is a note, but for a name that another recording
/// has.
final class SessionControl {
  private let socket: ControlSocket
  private let note: (String) -> Void
  private var server: ControlServer?

  /// Takes the name.
  /// - Parameters:
  ///   - name: The name that was given; nil for that of the first output.
  ///   - note: Called with why there is no control.
  /// - Returns: Nil if there is no place for sockets.
  /// - Throws: If another recording has the name, or if the name that was given is none.
  init?(
    _ plan: RecordingPlan, name: String?, _ surroundings: ControlPlace.Surroundings = .ofThisProcess,
    note: @escaping (String) -> Void
  ) throws(SluiceError) {
    self.note = note
    do throws(SluiceError) {
      let place = try ControlPlace.own(surroundings)
      let given = try name.map { name throws(SluiceError) in try ControlName(name) }
      socket = try ControlSocket(given ?? ControlName(outputs: plan.outputs.map(\.path)), at: place)
    } catch {
      guard error.code != .busy, name == nil || error.code != .usage else { throw error }
      note("'sluice ctl' cannot control this recording: \(error)")
      return nil
    }
  }

  /// Lets clients in.
  /// - Parameter reloader: Reads the plan again; nil if it cannot be read again.
  func serve(_ recording: Recording, _ health: RecordingHealth, _ reloader: PlanReloader?) {
    let server = ControlServer(socket, RecordingDesk(recording, socket.name, health, reloader))
    do throws(SluiceError) {
      try server.start()
      self.server = server
    } catch {
      note("'sluice ctl' cannot control this recording: \(error)")
    }
  }

  /// Tells the clients what became of the recording, and gives the name up.
  func end(_ sentence: String) {
    if let server { server.end("\(socket.name) has ended: \(sentence)") } else { socket.close() }
    server = nil
  }
}
