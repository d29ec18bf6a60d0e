import SluiceReadings
import SluiceSystem

/// A file for measurements. It is removed when it is released.
final class ScratchFile {
  let path: String
  private let descriptor: Int32

  /// - Parameter directory: A folder on the disk to measure.
  init(in directory: String) throws(SluiceError) {
    path = "\(directory)/.sluice-bench-\(getpid())"
    do throws(SystemErrno) {
      descriptor = try openFile(path, O_WRONLY | O_CREAT | O_EXCL)
    } catch {
      throw SluiceError(
        "write", path, errno: error.code,
        remedy: "with --output-directory, give a folder in which you may write, on a disk with free space")
    }
  }

  deinit {
    closeFile(descriptor)
    unlink(path)
  }

  /// The size in bytes.
  var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Appends the first `count` bytes.
  func append(_ bytes: [UInt8], count: Int) throws(SluiceError) {
    let failed = bytes.withUnsafeBytes { writeBytes(descriptor, UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
    if let failed { throw failure(failed.error) }
  }

  /// Waits until everything written is on the disk.
  func synchronize() throws(SluiceError) {
    do throws(SystemErrno) {
      _ = try valueOrErrno { fdatasync(descriptor) }
    } catch {
      throw failure(error)
    }
  }

  /// Empties the file.
  func removeAll() throws(SluiceError) {
    do throws(SystemErrno) {
      _ = try valueOrErrno { ftruncate(descriptor, 0) }
      _ = try valueOrErrno { lseek(descriptor, 0, SEEK_SET) }
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: SystemErrno) -> SluiceError {
    SluiceError(
      "write", path, errno: error.code, remedy: error.code == ENOSPC ? "free some space or give less --disk-size" : nil)
  }
}
