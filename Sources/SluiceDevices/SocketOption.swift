import SluiceSystem

/// Sets an option of a socket.
/// - Returns: Whether it is set; if not, `errno` says why.
@discardableResult
func setSocketOption<Value>(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Value) -> Bool {
  withUnsafeBytes(of: value) { setsockopt(descriptor, level, name, $0.baseAddress, socklen_t($0.count)) == 0 }
}
