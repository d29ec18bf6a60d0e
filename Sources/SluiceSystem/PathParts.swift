/// A path up to its last slash, and what is behind it. Together they are the path.
///
/// By bytes, as the kernel does. By characters, a slash before a combining character is none. It also took 18,000 instructions
/// for 30 bytes.
package func pathParts(_ path: String) -> (folder: Substring, name: Substring) {
  let end = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex
  return (path[..<end], path[end...])
}

/// The folder of a path: `/a` for `/a/b`, and `.` for a name alone.
package func folder(of path: String) -> String {
  let folder = pathParts(path).folder
  return folder.isEmpty ? "." : folder == "/" ? "/" : String(folder.unicodeScalars.dropLast())
}

/// The name of a file without its folder: `b` for `/a/b` and for `a/b/`. It is empty for `/` and for an empty path.
package func fileName(of path: String) -> String {
  var path = path
  while path.utf8.last == UInt8(ascii: "/") { path.unicodeScalars.removeLast() }
  return String(pathParts(path).name)
}

/// The path of a file in the same folder.
package func path(of name: String, beside path: String) -> String { pathParts(path).folder + name }
