import Sluice
package import SluiceDevices

/// What the sources of one recording are opened with.
package struct SourceContext: Sendable {
  package var roots: DeviceRoots
  /// Told what a source does meanwhile: that a device was removed, that it is back, what was restored.
  package var say: @Sendable (String) -> Void
  private let madeTriggers = Locked<Set<String>>([])

  package init(roots: DeviceRoots = DeviceRoots(), say: @escaping @Sendable (String) -> Void = { _ in }) {
    self.roots = roots
    self.say = say
  }

  /// Whether this source is the first one that needs the trigger, and so is to make it.
  func makesTrigger(_ name: String) -> Bool { madeTriggers.withLock { $0.insert(name).inserted } }

  func report(_ restored: [IIOState]) {
    for state in restored {
      let failure = state.failure.map { ", but \($0)" } ?? ""
      say("restored \(state), which an interrupted recording had left configured\(failure)")
    }
  }
}
