extension Operators {
  /// The description of an operator in a log or a debugger: its name, and nothing else.
  ///
  /// Combine's operators have the same descriptions. Here they cost each operator one line.
  public protocol Description: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    /// The operator's name.
    var name: StaticString { get }
  }
}

extension Operators.Description {
  public var description: String { name.description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  public var playgroundDescription: Any { description }
}
