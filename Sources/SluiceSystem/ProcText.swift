/// The text of a file of procfs, whose size is 0 whatever is in it; nil if it cannot be read.
func procText(_ path: String) -> String? {
  guard let descriptor = try? openFile(path, O_RDONLY) else { return nil }
  defer { closeFile(descriptor) }
  var (text, bytes) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
  while let count = try? readBytes(descriptor, into: &bytes), count > 0 { text += bytes.prefix(count) }
  return String(decoding: text, as: UTF8.self)
}
