import Sluice
package import SluiceDevices

/// The surroundings in which the sources of a recording are opened.
package struct SourceContext: Sendable {
  package var roots: DeviceRoots
  /// Called with messages of sources: a removed device, its return, restored settings.
  package var say: @Sendable (String) -> Void
  private let madeTriggers = Locked<Set<String>>([])

  package init(roots: DeviceRoots = DeviceRoots(), say: @escaping @Sendable (String) -> Void = { _ in }) {
    self.roots = roots
    self.say = say
  }

  /// Whether this source is the first that needs the trigger, so that it must create the trigger.
  func makesTrigger(_ name: String) -> Bool { madeTriggers.withLock { $0.insert(name).inserted } }

  func report(_ restored: [IIOState]) {
    for state in restored {
      let failure = state.failure.map { ", but \($0)" } ?? ""
      say("restored \(state), which an interrupted recording had left configured\(failure)")
    }
  }
}
