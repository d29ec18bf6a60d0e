package import SluiceReadings

/// A value of a station file, and where it stands. A scalar is a text: what it means is up to the key that has it.
package struct StationNode: Equatable, Sendable {
  /// A key of a map with its value.
  package struct Member: Equatable, Sendable {
    package var key: String
    /// The place of the key.
    package var place: TextPlace
    package var value: StationNode

    package init(_ key: String, at place: TextPlace, _ value: StationNode) {
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
  package var place: TextPlace
  /// What an element of a list is called in an error: `.imu`, or `[0]` for its number in the file; nil outside of lists.
  var label: String?
  /// Whether a part of it was refused. What is said about the whole may then be wrong.
  package var hasLost = false

  package init(_ content: Content, at place: TextPlace) { (self.content, self.place) = (content, place) }
}
