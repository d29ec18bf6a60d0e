import DequeModule

/// Publishes the changes of a property.
///
/// ```swift
/// final class Station: ObservableObject {
///   @Published var celsius = 0.0
/// }
/// let station = Station()
/// let cancellable = station.$celsius.sink { print($0) }  // 0.0
/// station.celsius = 21.5                                 // 21.5
/// ```
///
/// It is for properties of classes. It first sends the `objectWillChange` of the object, then the new value, and then
/// stores the value.
@propertyWrapper
public struct Published<Value> {
  /// The publisher of the property: the current value first, then each new one. It never finishes.
  public struct Publisher: _DirectPublisher {
    public typealias Output = Value
    public typealias Failure = Never

    let storage: PublishedSubject<Value>

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      storage.broadcast.subscribe(subscriber, to: storage) { value, _ in CurrentValueCore(value) }
    }
  }

  private let storage: PublishedSubject<Value>

  /// Makes a published property with its first value.
  public init(initialValue: Value) { storage = PublishedSubject(initialValue) }
  /// Makes a published property with its first value.
  public init(wrappedValue: Value) { self.init(initialValue: wrappedValue) }

  /// The publisher of the property, as in `$name`.
  public var projectedValue: Publisher {
    mutating get { Publisher(storage: storage) }
    set {}  // `assign(to:)` takes it as inout, and changes its target
  }

  /// The property's value; only for properties of classes.
  @available(*, unavailable, message: "@Published is for properties of classes")
  public var wrappedValue: Value {
    get { storage.value }
    set { storage.value = newValue }
  }

  /// Reads and writes the property's value, and publishes each new one before it is stored.
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set { object[keyPath: storageKeyPath].storage.value = newValue }
  }
}

/// The value of a published property, its subscribers, and the object that announces changes.
///
/// Subscribers get a new value before the property has it. So there are two values: the last sent value, which a new
/// subscriber gets first, and the value of the property.
final class PublishedSubject<Value>: @unchecked Sendable {
  // Each of the three has its own lock.
  let broadcast: Broadcast<CurrentValueCore<Value, Never>, Value>
  private let shown: Locked<Value>
  let objectWillChange = Locked(ObservableObjectPublisher?.none)

  init(_ value: Value) {
    broadcast = Broadcast("PublishedSubject", memory: value, waitsForDemand: false)
    shown = Locked(value)
  }

  deinit { broadcast.close() }

  var value: Value {
    get { shown.withLock { $0 } }
    set {
      objectWillChange.withLock { $0 }?.send()
      broadcast.send(newValue) { memory in
        var former = newValue
        swap(&memory, &former)
        return former
      }
      // The last sent value from any thread, so that the property ends with the same value as its subscribers.
      var former = newValue
      shown.withLock { shown in
        former = broadcast.state.withLock { $0.memory }
        swap(&shown, &former)
      }
      withExtendedLifetime(former) {}
    }
  }
}

extension Publisher where Failure == Never {
  /// Writes each value into a published property, as long as the property lives.
  ///
  /// ```swift
  /// readings.assign(to: &station.$celsius)
  /// ```
  public func assign(to published: inout Published<Output>.Publisher) {
    let storage = published.storage
    _attach(
      AnySubscriber<Output, Never>(
        receiveSubscription: { [weak storage] in
          if let storage { storage.broadcast.send(subscription: $0) } else { $0.cancel() }
        },
        receiveValue: { [weak storage] in
          storage?.value = $0
          return .none
        }))
  }
}

/// The requirements for a property of an observable object.
protocol PublishedProperty {
  var objectWillChange: Locked<ObservableObjectPublisher?> { get }
}

extension Published: PublishedProperty {
  var objectWillChange: Locked<ObservableObjectPublisher?> { storage.objectWillChange }
}
