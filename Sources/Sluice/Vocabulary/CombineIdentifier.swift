import Synchronization

/// Identifies subscribers and subscriptions, whatever their types.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private let rawValue: UInt64

  /// Makes an identifier that no other call gets.
  public init() { rawValue = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Makes the identifier of an object, the same one each time as long as it lives.
  public init(_ object: AnyObject) { rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

  /// A description for logs and debuggers.
  public var description: String { "0x" + String(rawValue, radix: 16) }

  private static let counter = Atomic<UInt64>(0)
}

/// Has a ``CombineIdentifier``; classes get one automatically.
public protocol CustomCombineIdentifierConvertible {
  /// Identifies it in logs and debuggers.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identifier of this object.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
