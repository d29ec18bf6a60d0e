/// The name with the fewest differing characters; nil if no name is close.
package func nearest(to name: String, among names: [String]) -> String? {
  func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        (diagonal, row[j + 1]) = (row[j + 1], min(diagonal + (x == y ? 0 : 1), row[j] + 1, row[j + 1] + 1))
      }
    }
    return row[b.count]
  }
  let wanted = Array(name.lowercased().utf8)
  return names.map { (name: $0, distance: distance(wanted, Array($0.lowercased().utf8))) }
    .filter { $0.distance <= min($0.name.utf8.count / 2, max(2, $0.name.utf8.count / 3)) }
    .min { $0.distance < $1.distance }?.name
}
