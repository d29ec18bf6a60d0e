import Sluice
public import SluiceDevices

/// The surroundings in which the sources of a recording are opened.
///
/// A recording makes one. Make one yourself to open a kind of source in a test:
///
/// ```swift
/// let sources = try ThermometerKind("register")?.open(SourceSettings(), SourceContext())
/// ```
public struct SourceContext: Sendable {
  /// The folders of the devices.
  public var roots: DeviceRoots
  /// Called with the events of sources: a removed device, its return, restored settings.
  package var tell: @Sendable (RecordingEvent.Kind) -> Void
  /// Returns whether to stop. It is asked while the opening of a source waits.
  package var isInterrupted: @Sendable () -> Bool = { false }
  /// The events of the recording, among which marks are.
  package var events: RecordingEvents?
  private let madeTriggers = Locked<Set<String>>([])

  /// Makes surroundings in which nobody is told of events.
  public init(roots: DeviceRoots = DeviceRoots()) { self.init(roots: roots) { _ in } }

  package init(roots: DeviceRoots = DeviceRoots(), tell: @escaping @Sendable (RecordingEvent.Kind) -> Void) {
    self.roots = roots
    self.tell = tell
  }

  /// Whether this source is the first that needs the trigger, so that it must create the trigger.
  func makesTrigger(_ name: String) -> Bool { madeTriggers.withLock { $0.insert(name).inserted } }

  func report(_ restored: [IIOState]) {
    for state in restored {
      tell(.settingsRestored(device: "\(state)", failure: state.failure.map { "\($0)" }))
    }
  }
}
