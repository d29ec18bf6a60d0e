/// One row of the table of operators.
public struct Row: Sendable {
  public let name: String
  public let shape: Schedule.Shape
  /// Whether it can stand in a chain.
  public let links: Bool

  public init(name: String, shape: Schedule.Shape, links: Bool) {
    self.name = name
    self.shape = shape
    self.links = links
  }
}

/// What is between the operators of a chain, to see what passes.
public enum Seams {
  case none
  /// Let no runs through, so that both libraries hand down value by value.
  case single
  case runs
}

/// A library under test.
public struct Library {
  public let name: String
  public let rows: [Row]
  /// Lets a schedule happen to one row, or to a chain of several, perhaps with seams between them.
  public let run: ([Int], Schedule, Seams) -> History

  public init(name: String, rows: [Row], run: @escaping ([Int], Schedule, Seams) -> History) {
    self.name = name
    self.rows = rows
    self.run = run
  }
}
