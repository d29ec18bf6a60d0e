import SluicePipeline
import SluiceReadings

/// The devices of a kind, with an entry for each of them that has all outputs of `sluice list`.
struct DeviceEntries: DeviceListing {
  /// A device.
  struct Entry {
    /// The cells of its row in the table, or the lines of its block.
    var text: [String]
    var device: ListedDevice
    var sources: [ListedSource] = []
    /// Its members in JSON.
    var json: [(String, JSON)]
  }

  let blocks: [[String]]
  let devices: [ListedDevice]
  let sources: [ListedSource]
  let members: [(String, JSON)]
  let failures: [SluiceError]

  /// Devices with a block of lines each.
  /// - Parameter name: The member of the JSON that has them.
  init(_ name: String, blocks entries: [Entry], failures: [SluiceError] = []) {
    self.init(name, entries, entries.map(\.text), failures)
  }

  /// Devices in one table.
  /// - Parameters:
  ///   - columns: The titles of the columns; none if the table has no titles.
  ///   - numbers: Whether a column has numbers.
  init(
    _ name: String, table title: String, columns: [String] = [], _ entries: [Entry], failures: [SluiceError] = [],
    numbers: (Int) -> Bool = { _ in false }
  ) {
    let rows = ((columns.isEmpty ? [] : [columns]) + entries.map(\.text)).map { cells in
      cells.enumerated().map { $0 == 0 ? "  \($1)" : $1 }
    }
    self.init(name, entries, entries.isEmpty ? [] : [[title] + table(rows, numbers: numbers)], failures)
  }

  private init(_ name: String, _ entries: [Entry], _ blocks: [[String]], _ failures: [SluiceError]) {
    (self.blocks, self.failures) = (blocks, failures)
    (devices, sources) = (entries.map(\.device), entries.flatMap(\.sources))
    members = [(name, .array(entries.map { .object($0.json) }))]
  }
}
