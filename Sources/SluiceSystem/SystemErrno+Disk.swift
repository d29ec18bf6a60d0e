extension SystemErrno {
  /// The errors of a disk that has no room for this user.
  package static let ofFullDisk: Set<Int32> = [ENOSPC, EDQUOT]
  /// The errors of a disk that is full, fails, is damaged, or is gone. Another disk, or the same one later, may be well.
  package static let ofDisk: Set<Int32> = ofFullDisk.union([EIO, EROFS, EUCLEAN, EBADMSG, ENODEV, ENXIO, ESTALE])
}
