/// An object that says so before it changes.
///
/// ```swift
/// final class Station: ObservableObject {
///   @Published var celsius = 0.0
/// }
/// let cancellable = station.objectWillChange.sink { print("about to change") }
/// ```
///
/// With ``Published`` properties there is nothing more to write.
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Publishes before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Publishes before any of the ``Published`` properties changes.
  ///
  /// The properties are found by reflection, and the publisher is kept with them: for an object without any it is a new
  /// one each time, which nothing sends to.
  public var objectWillChange: ObservableObjectPublisher {
    var properties: [Locked<ObservableObjectPublisher?>] = []
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      for child in level.children {
        if let property = child.value as? any PublishedProperty { properties.append(property.objectWillChange) }
      }
      mirror = level.superclassMirror
    }
    let publisher = properties.lazy.compactMap { $0.withLock { $0 } }.first ?? ObservableObjectPublisher()
    for property in properties { property.withLock { $0 = $0 ?? publisher } }
    return publisher
  }
}

/// Publishes that an object is about to change, to whoever is subscribed, whatever they asked for.
public final class ObservableObjectPublisher: _DirectPublisher, @unchecked Sendable {
  // The broadcast protects itself.
  public typealias Output = Void
  public typealias Failure = Never

  private let broadcast = Broadcast<RelayCore<Void, Never>, Void>(
    "ObservableObjectPublisher", memory: (), waitsForDemand: true, portrait: .downstreamAlone)

  public init() {}

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    broadcast.subscribe(subscriber, to: self) { _, _ in RelayCore(forwards: false, demand: .unlimited) }
  }

  public func send() { broadcast.send(()) { _ in } }
}
