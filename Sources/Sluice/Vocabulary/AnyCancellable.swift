/// Cancels when it is released: keep it as long as you want values.
///
/// ```swift
/// var cancellables = Set<AnyCancellable>()
/// [1, 2, 3].publisher.sink { print($0) }.store(in: &cancellables)
/// ```
///
/// It cancels exactly once, on the first thread that asks for it.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  // The lock protects the closure, its only state.
  private let onCancel: Locked<(() -> Void)?>

  /// Cancels by calling a closure.
  public init(_ cancel: @escaping () -> Void) { onCancel = Locked(cancel) }

  /// Wraps another cancellable.
  public convenience init<C: Cancellable>(_ canceller: C) { self.init(canceller.cancel) }

  deinit { cancel() }

  /// Cancels once. Later calls do nothing.
  public func cancel() {
    let cancel = onCancel.withLock { onCancel in
      defer { onCancel = nil }
      return onCancel
    }
    cancel?()
  }

  public static func == (a: AnyCancellable, b: AnyCancellable) -> Bool { a === b }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Keeps it alive in a collection.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Keeps it alive in a set.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
}
