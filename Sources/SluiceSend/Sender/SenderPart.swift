extension SenderMachine {
  /// A batch, or a half of one, until it is settled.
  struct Part {
    enum State { case waits, underWay, settled }

    var numbers: Range<UInt64>
    /// The number of the first reading of the batch that was fetched.
    var batch: UInt64
    var state = State.waits
    var wasSent = false
    /// How often the server had taken something when this part, or the batch that it was in, was first refused.
    var doubtedAt: Int?
    /// Whether it is one reading that was refused alone, and waits until the server takes another one.
    var isSuspect = false
    /// Whether everything waited after it was refused.
    var hasWaited = false
  }
}
