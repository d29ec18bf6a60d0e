/// A text as a JSON string (RFC 8259).
package func quoted(_ text: String) -> String {
  // ASCII without the characters below; a text with others is looked at by its scalars.
  let isPlain = text.utf8.allSatisfy {
    (0x20..<0x7f).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
  }
  if isPlain { return "\"\(text)\"" }
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": quoted += "\\\""
    case "\\": quoted += "\\\\"
    case "\n": quoted += "\\n"
    case "\t": quoted += "\\t"
    // A terminal may take these for orders.
    case _ where scalar.isControl || scalar.isOfDirection:
      let hex = String(scalar.value, radix: 16)
      quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}

/// A text as a JSON string, without what follows its first characters. For messages.
package func quoted(_ text: String, atMost limit: Int) -> String {
  quoted(text.count <= limit ? text : text.prefix(limit) + "...")
}
