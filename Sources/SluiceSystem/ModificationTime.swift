/// The time at which a file was changed last, in nanoseconds since the epoch: that of the target of a symbolic link. Nil if
/// there is no such file.
package func modificationTime(of path: String) -> Int64? {
  var status = stat()
  guard stat(path, &status) == 0 else { return nil }
  #if canImport(Darwin)
    let time = status.st_mtimespec
  #else
    let time = status.st_mtim
  #endif
  let (seconds, isTooLate) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
  let (sum, overflow) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
  return isTooLate || overflow ? nil : sum
}

/// The length of a file in bytes; nil if there is no such file.
package func fileSize(of path: String) -> Int64? {
  var status = stat()
  return stat(path, &status) == 0 ? Int64(status.st_size) : nil
}
