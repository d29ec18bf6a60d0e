extension Operators {
  /// What an operator shows of itself in a log or a debugger: its name and nothing of its inside.
  ///
  /// Combine's operators describe themselves so; here it costs each of them one line.
  public protocol Description: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    var name: StaticString { get }
  }
}

extension Operators.Description {
  public var description: String { name.description }
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  public var playgroundDescription: Any { description }
}
