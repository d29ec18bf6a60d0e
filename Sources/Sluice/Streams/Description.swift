extension Operators {
  /// What an operator shows in a log or a debugger: its name, and nothing else.
  ///
  /// Combine's operators describe themselves in the same way; here it costs each operator one line.
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
