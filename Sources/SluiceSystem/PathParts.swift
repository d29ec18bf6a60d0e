/// The folder of a path.
package func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The name of a file without its folder: `b` for `/a/b` and for `a/b/`. It is empty for `/` and for an empty path.
package func fileName(of path: String) -> String {
  // By bytes, as the kernel does. By characters, this took 18,000 instructions for a path of 30 bytes.
  var rest = path.utf8[...]
  let slash = UInt8(ascii: "/")
  while rest.last == slash { rest.removeLast() }
  if let last = rest.lastIndex(of: slash) { rest = rest[rest.index(after: last)...] }
  return String(rest) ?? ""
}
