import Synchronization

/// Tells subscribers and subscriptions apart, whatever their types.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private let rawValue: UInt64

  /// An identifier that no other call has got or will get.
  public init() { rawValue = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue }

  /// The identifier of an object, the same each time while it lives.
  public init(_ object: AnyObject) { rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

  /// A description for logs and debuggers.
  public var description: String { "0x" + String(rawValue, radix: 16) }

  private static let counter = Atomic<UInt64>(0)
}

/// Has a ``CombineIdentifier``; an object has one by itself.
public protocol CustomCombineIdentifierConvertible {
  /// Identifies it in logs and debuggers.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identifier of this object.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
