/// A value of a station file, and where it stands. A scalar is a text: what it means is up to the key that has it.
package struct StationNode: Equatable, Sendable {
  /// A place in a file, as an editor counts: lines and characters from 1.
  package struct Place: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    package static func < (a: Place, b: Place) -> Bool { (a.line, a.column) < (b.line, b.column) }
  }

  /// A key of a map with its value.
  package struct Member: Equatable, Sendable {
    package var key: String
    /// The place of the key.
    package var place: Place
    package var value: StationNode

    package init(_ key: String, at place: Place, _ value: StationNode) {
      (self.key, self.place, self.value) = (key, place, value)
    }
  }

  package indirect enum Content: Equatable, Sendable {
    case text(String)
    /// Nothing stands where a value could.
    case nothing
    /// What stands there was refused, and was reported.
    case refused
    case list([StationNode])
    case map([Member])
  }

  package var content: Content
  package var place: Place
  /// What an element of a list is called in an error: `.imu`, or `[0]` for its number in the file; nil outside of lists.
  var label: String?
  /// Whether a part of it was refused. What is said about the whole may then be wrong.
  package var hasLost = false

  package init(_ content: Content, at place: Place) { (self.content, self.place) = (content, place) }
}
