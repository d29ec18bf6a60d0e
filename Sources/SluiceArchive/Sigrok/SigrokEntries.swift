/// The entries with the samples of the lines or of one analog channel, in the order of the samples: `logic-1-1`,
/// `logic-1-2`, or `logic-1` alone.
struct SigrokEntries {
  let name: String
  private let prefix: [UInt8]
  /// The number of the entry that has all samples, if there is one.
  private var whole: Int?
  /// For each part, from 1, the number of its entry in the archive.
  private var parts: [Int: Int] = [:]
  /// The reason why some entries are not known.
  var fault: ArchiveFault?

  init(_ name: String) {
    self.name = name
    prefix = Array(name.utf8) + [UInt8(ascii: "-")]
  }

  /// - Returns: Whether the entry belongs to this series.
  mutating func add(_ entry: String, _ number: Int) throws(ArchiveFault) -> Bool {
    if entry == name {
      guard whole == nil else { throw ArchiveFault(text: "it has two entries \"\(entry)\"") }
      whole = number
      return true
    }
    guard entry.utf8.starts(with: prefix) else { return false }
    let digits = entry.utf8.dropFirst(prefix.count)
    guard digits.count < 10, digits.first != UInt8(ascii: "0"), digits.allSatisfy({ (0x30..<0x3a).contains($0) }),
      let part = Int(Substring(digits))
    else { return false }
    guard parts.updateValue(number, forKey: part) == nil else {
      throw ArchiveFault(text: "it has two entries \"\(entry)\"")
    }
    return true
  }

  /// The name and the number of the entry with a part, counted from 0; nil after the last part.
  /// - Throws: If the entry is missing, or if it is not known whether there is one.
  func entry(_ index: Int) throws(ArchiveFault) -> (name: String, number: Int)? {
    if let whole {
      if index == 0 { return (name, whole) }
    } else if let number = parts[index + 1] {
      return ("\(name)-\(index + 1)", number)
    } else if parts.count > index {
      throw ArchiveFault(text: "it has no entry \"\(name)-\(index + 1)\", but it has later ones")
    }
    if let fault { throw fault }
    guard index > 0 else { throw ArchiveFault(text: "it has no entry \"\(name)-1\"") }
    return nil
  }
}
