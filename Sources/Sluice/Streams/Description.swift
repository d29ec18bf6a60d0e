extension Operators {
  /// What an operator shows of itself in a log or a debugger: its name and nothing of its inside.
  ///
  /// Combine's operators describe themselves so; here it costs each of them one line.
  public protocol Description: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    /// The operator's name.
    var name: StaticString { get }
  }
}

extension Operators.Description {
  /// The operator's name.
  public var description: String { name.description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  /// What a playground shows.
  public var playgroundDescription: Any { description }
}
