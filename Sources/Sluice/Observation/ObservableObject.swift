/// An object that announces its changes before they happen.
///
/// ```swift
/// final class Station: ObservableObject {
///   @Published var celsius = 0.0
/// }
/// let cancellable = station.objectWillChange.sink { print("about to change") }
/// ```
///
/// With ``Published`` properties it needs no other code.
public protocol ObservableObject: AnyObject {
  /// The type of the publisher that announces changes.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Publishes before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Publishes before any of the ``Published`` properties changes.
  ///
  /// The properties are found by reflection, and the publisher is stored in them. An object without such properties has
  /// one publisher for its whole life, so that you can call it yourself: `willSet { objectWillChange.send() }`.
  public var objectWillChange: ObservableObjectPublisher {
    var properties: [Locked<ObservableObjectPublisher?>] = []
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      for child in level.children {
        if let property = child.value as? any PublishedProperty { properties.append(property.objectWillChange) }
      }
      mirror = level.superclassMirror
    }
    guard !properties.isEmpty else { return LonePublishers.publisher(for: self) }
    // The first property decides, so that two threads get the same publisher.
    let new = ObservableObjectPublisher()
    let publisher = properties[0].withLock { first in
      first = first ?? properties.dropFirst().lazy.compactMap { $0.withLock { $0 } }.first ?? new
      return first ?? new
    }
    for property in properties.dropFirst() { property.withLock { $0 = $0 ?? publisher } }
    return publisher
  }
}

/// Announces that an object is about to change, to all subscribers, with any demand.
public final class ObservableObjectPublisher: _DirectPublisher, @unchecked Sendable {
  // The broadcast protects itself.
  public typealias Output = Void
  public typealias Failure = Never

  private let broadcast = Broadcast<Operators.RelayCore<Void, Never>, Void>(
    "ObservableObjectPublisher", memory: (), waitsForDemand: true, portrait: .downstreamAlone)

  /// Makes a publisher without subscribers.
  public init() {}

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    broadcast.subscribe(subscriber, to: self) { _, _ in Operators.RelayCore(forwards: false, demand: .unlimited) }
  }

  /// Announces that the object is about to change.
  public func send() { broadcast.send(()) { _ in } }
}

/// The publishers of objects without published properties. Swift has no other place for them.
private enum LonePublishers {
  private struct Entry {
    weak var object: AnyObject?  // nil when another object may have its address
    let publisher: ObservableObjectPublisher
  }

  private struct Table {
    var entries: [ObjectIdentifier: Entry] = [:]
    var limit = 64  // the size at which entries of released objects are removed
  }

  private static let table = Locked(Table())

  static func publisher(for object: AnyObject) -> ObservableObjectPublisher {
    let new = ObservableObjectPublisher()
    // References taken under the lock are released outside it, because a release may be the last of a foreign object.
    var held: [AnyObject] = []
    let publisher = table.withLock { table -> ObservableObjectPublisher in
      let id = ObjectIdentifier(object)
      if let entry = table.entries[id] {
        held.append(entry.publisher)
        if let other = entry.object {
          held.append(other)
          if other === object { return entry.publisher }
        }
      }
      if table.entries.count >= table.limit {
        table.entries = table.entries.filter { _, entry in
          held.append(entry.publisher)
          guard let object = entry.object else { return false }
          held.append(object)
          return true
        }
        table.limit = Swift.max(64, 2 * table.entries.count)
      }
      table.entries[id] = Entry(object: object, publisher: new)
      return new
    }
    withExtendedLifetime(held) {}
    return publisher
  }
}
