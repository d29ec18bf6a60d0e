import SluiceReadings

extension StationNode {
  /// A value of JSON in which everything stands at one place.
  init(_ json: JSON, at place: TextPlace) {
    switch json {
    case .null: self.init(.nothing, at: place)
    case .bool(let flag): self.init(.text("\(flag)"), at: place)
    case .number(let text), .string(let text): self.init(.text(text), at: place)
    case .array(let elements): self.init(.list(elements.map { StationNode($0, at: place) }), at: place)
    case .object(let members):
      self.init(.map(members.map { Member($0.0, at: place, StationNode($0.1, at: place)) }), at: place)
    }
  }

  /// The same as JSON, in which every scalar is a text.
  var json: JSON {
    switch content {
    case .text(let text): .string(text)
    case .nothing, .refused: .null
    case .list(let elements): .array(elements.map(\.json))
    case .map(let members): .object(members.map { ($0.key, $0.value.json) })
    }
  }

  // MARK: Places of errors

  /// What stands at a path of keys.
  struct Found {
    var place: TextPlace
    /// `sources.imu.sample-rate`; `it` for the whole.
    var path: String
    /// The number of keys up to the last map on the way.
    var depthOfMap: Int
    /// Whether a part of that map was refused.
    var isInLost: Bool
  }

  /// - Parameter prefersKey: Whether the place is that of the last key, instead of its value.
  func found(at path: [PlanKey], prefersKey: Bool) -> Found {
    var found = Found(place: place, path: "", depthOfMap: 0, isInLost: hasLost)
    var node: StationNode? = self
    for (depth, key) in path.enumerated() {
      switch node?.content {
      case .list(let elements)?:
        if case .index(let index) = key, elements.indices.contains(index) { node = elements[index] } else { node = nil }
        found.path += node?.label ?? "[\(key.text)]"
        found.place = node?.place ?? found.place
      case .map(let members)?:
        let member = members.first { $0.key == key.text }
        node = member?.value
        let step = Self.step(key.text)
        found.path += found.path.isEmpty && step.hasPrefix(".") ? String(step.dropFirst()) : step
        if let member { found.place = prefersKey ? member.place : member.value.place }
      case .text?, .nothing?, .refused?, nil:
        node = nil
        found.path += ".\(key.text)"
      }
      if let node, case .map = node.content { (found.depthOfMap, found.isInLost) = (depth + 1, node.hasLost) }
    }
    if found.path.isEmpty { found.path = "it" }
    return found
  }

  /// Removes what stands at a path of keys, or else the value that should have it.
  /// - Parameter isLost: Whether what is said about the rest may then be wrong.
  /// - Returns: Whether something was removed. The whole cannot be removed.
  mutating func remove(at path: ArraySlice<PlanKey>, isLost: Bool) -> Bool {
    guard let key = path.first else { return false }
    let rest = path.dropFirst()
    switch content {
    case .list(var elements):
      guard case .index(let index) = key, elements.indices.contains(index) else { return false }
      if rest.isEmpty || !elements[index].remove(at: rest, isLost: isLost) {
        elements.remove(at: index)
        hasLost = true
      }
      content = .list(elements)
    case .map(var members):
      guard let index = members.firstIndex(where: { $0.key == key.text }) else { return false }
      if rest.isEmpty || !members[index].value.remove(at: rest, isLost: isLost) {
        members.remove(at: index)
        if isLost || !rest.isEmpty { hasLost = true }
      } else if case .list = members[index].value.content, members[index].value.hasLost {
        // A rule about the elements is a rule of the map that has them.
        hasLost = true
      }
      content = .map(members)
    case .text, .nothing, .refused: return false
    }
    return true
  }
}
