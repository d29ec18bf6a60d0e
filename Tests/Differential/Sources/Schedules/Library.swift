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

/// A library under test.
public struct Library {
  public let name: String
  public let rows: [Row]
  /// Lets a schedule happen to one row, or to a chain of several, perhaps with seams between them.
  public let run: ([Int], Schedule, _ seams: Bool) -> History

  public init(name: String, rows: [Row], run: @escaping ([Int], Schedule, Bool) -> History) {
    self.name = name
    self.rows = rows
    self.run = run
  }
}
