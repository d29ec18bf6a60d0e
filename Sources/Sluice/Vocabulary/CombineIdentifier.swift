import Synchronization

/// Identifies subscribers and subscriptions of any type.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private let rawValue: UInt64

  /// Makes a unique identifier.
  public init() { rawValue = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Makes the identifier of an object. It stays the same as long as the object lives.
  public init(_ object: AnyObject) { rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

  public var description: String { "0x" + String(rawValue, radix: 16) }

  private static let counter = Atomic<UInt64>(0)
}

/// Has a ``CombineIdentifier``. Classes get one automatically.
public protocol CustomCombineIdentifierConvertible {
  /// Identifies it in logs and debuggers.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identifier of this object.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
