#if SLUICE_MQTT
  import Sluice
  import SluiceLog
  package import SluiceReadings
  package import SluiceRecording
  package import SluiceSystem

  /// Takes the readings of boards from a broker, and writes them to files: the other end of an output `mqtt://HOST/TOPIC`.
  ///
  /// libmosquitto acknowledges a message before it can be on the disk here. So what had come and was not synced at a kill is a gap
  /// in the numbers, which is listed at the next start.
  package final class Land {
    /// What somebody should know.
    package enum News: Sendable {
      case connected
      case away(SluiceError)
      /// A range of numbers of a board is missing; it has so many other new gaps.
      case gap(LandGap, others: Int)
      /// The gap is closed.
      case closed(LandGap)
      /// So many rows of a board have numbers that another run had already given to others. It is so with other boards, too.
      case shared(board: String, Int, others: Int)
      /// A board is there, has ended, or is gone. So many other boards of its share have another state now, too.
      case state(board: String, String, others: Int)
      /// What stood behind the known rows of a file was cut off.
      case cut(file: String, bytes: Int64)
      /// Messages of a share that are left out, with their number so far, and the topic and the reason of the last one.
      case strange(topic: String, because: String, Int)
    }

    package struct Counts: Equatable, Sendable {
      package var boards = 0
      package var rows = 0
      package var duplicates = 0
      /// Rows whose numbers had come from another run.
      package var shared = 0
      package var strange = 0
    }

    private let address: MQTTAddress
    private let settings: ServerSettings
    private let folder: String
    private let client: String
    private let files: any FileSystem
    private let now: () -> Int64
    private let tell: (News) -> Void
    /// The levels of the topics that are no part of a board's name.
    private let common: Int
    /// The boards whose folders have the same beginning (``LandedTopic/share(of:)``).
    private struct Share {
      /// Their folders.
      var folders: [String] = []
      /// A bound of the bytes of memory for boards and states.
      var weight = 0
      /// The names of boards and files that were synced one by one since the last sync of the whole disk.
      var synced = 0
      var news = LandedNews()
    }

    /// By the name of the folder.
    private var boards: [String: LandedBoard] = [:]
    private var shares: [String: Share] = [:]
    private var strange = 0
    private var openFiles = 0
    private var backOff = BackOff(SenderMachine.pauses, seed: ServerSending.seed)
    private var messages = WriteRetries(SenderMachine.pauses)

    private static let second: Int64 = 1_000_000_000
    /// The broker keeps what comes while this program is away, for so many seconds: a week.
    private static let session: UInt32 = 604_800
    /// The most gaps of a board that are looked at, and of a share.
    private static let (mostGaps, mostGapsOfShare) = (1_000, 10_000)
    /// The bytes of memory for the boards of a share: 2,000 boards, or 160,000 gaps.
    private static let mostWeight = 32 << 20
    private static let (stateWeight, mostShares) = (512, 20_000)
    /// The open files of all boards. Most systems allow a process 1,024.
    private static let mostOpen = 512
    /// How many files are synced one by one between two syncs of all, for each share. A board decides how many files it has, and
    /// a disk may take 20 ms for each sync, in which no message of another board is taken.
    private static let mostSyncs = 64
    /// Room for the topic and the properties of a message.
    private static let properties = 256 << 10

    /// - Parameters:
    ///   - client: The name of the session at the broker; nil for one that belongs to the folder.
    ///   - now: Nanoseconds of a clock that runs on.
    /// - Throws: If the folder cannot be used, or if another program writes to it.
    package init(
      _ text: String, _ settings: ServerSettings, in folder: String, client: String?, now: @escaping () -> Int64,
      files: any FileSystem = SystemFiles(), _ tell: @escaping (News) -> Void
    ) throws(SluiceError) {
      address = try MQTTAddress(text, filters: true)
      common = LandedTopic.common(of: address.topic)
      (self.settings, self.folder, self.files, self.now, self.tell) = (settings, folder, files, now, tell)
      do throws(SystemErrno) { try files.makeFolder(folder) } catch  where error.code == EEXIST {} catch {
        throw SluiceError("make the folder", folder, errno: error.code)
      }
      try files.checkOwner(of: folder, "write to")
      let path = realpath(folder, nil).map { path in
        defer { free(path) }
        return String(cString: path)
      }
      let mixed = (BoardIdentity.current.name + (path ?? folder)).utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
      }
      self.client = client ?? "land" + String(mixed, radix: 16)
      do throws(SystemErrno) {
        let lock = try files.open("\(folder)/.lock", O_RDWR | O_CREAT | O_NOFOLLOW)
        try files.lock(lock)
      } catch {
        throw SluiceError(
          .busy, "write to", folder, because: "another program lands readings there, or it cannot be locked",
          remedy: "give another folder", errno: error.code)
      }
      try openBoards()
    }

    /// Boards of an earlier run, so that their gaps are known.
    private func openBoards() throws(SluiceError) {
      let names: [String]
      do throws(SystemErrno) { names = try files.names(in: folder) } catch {
        throw SluiceError("read the folder", folder, errno: error.code)
      }
      for name in names.sorted() {
        let path = "\(folder)/\(name)/\(LandedBoard.nameName)"
        guard let bytes = try? files.contents(of: path, limit: 1 << 16) else { continue }
        let board = String(decoding: bytes, as: UTF8.self)
        _ = try self.board(board.hasControlCharacters ? name : board, folder: name)
      }
      for share in shares.keys { say(share, isOld: true) }
    }

    package var counts: Counts {
      var counts = Counts(boards: boards.count, strange: strange)
      for board in boards.values {
        counts.rows += board.rows
        counts.duplicates += board.duplicates
        counts.shared += board.shared
      }
      return counts
    }

    /// All gaps.
    package var gaps: [LandGap] {
      boards.values.sorted { $0.name < $1.name }.flatMap { Self.gaps($0) }
    }

    /// Some of the gaps, those of all shares and boards in turn.
    package func listedGaps(most: Int) -> ListedGaps {
      let gaps = shares.sorted { $0.key < $1.key }.map { _, share in
        share.folders.sorted().compactMap { boards[$0] }.map { Self.gaps($0) }.filter { !$0.isEmpty }
      }
      return ListedGaps(gaps.filter { !$0.isEmpty }, most: most)
    }

    private static func gaps(_ board: LandedBoard, most: Int = .max) -> [LandGap] {
      board.gaps.prefix(most).map { LandGap(board: board.name, epoch: $0.epoch, numbers: $0.numbers) }
    }

    // MARK: The connection

    /// Takes messages until it is interrupted.
    /// - Parameter isInterrupted: Asked at least each second.
    /// - Throws: If the disk fails. What is not there is kept by the broker, or is a gap.
    package func run(until isInterrupted: () -> Bool) throws(SluiceError) {
      defer { for board in boards.values { board.close() } }
      while !isInterrupted() {
        let fault = try take(until: isInterrupted)
        try sync()
        guard let fault, !isInterrupted() else { break }
        if fault.code == .unsupported { throw fault }
        if messages.fail(at: now()).awayFor != nil { tell(.away(fault)) }
        let end = now() + backOff.pause(atLeast: nil)
        while now() < end, !isInterrupted() { _ = poll(nil, 0, 100) }
      }
    }

    /// One connection.
    /// - Returns: Why it is over; nil if it was interrupted.
    private func take(until isInterrupted: () -> Bool) throws(SluiceError) -> SluiceError? {
      let client: MQTTClient
      do throws(SluiceError) {
        client = try MQTTClient(
          address, settings, client: self.client, will: nil, session: Self.session,
          mostBytes: UInt32(LandedMessage.mostBytes + Self.properties))
        try client.connect()
      } catch {
        return error
      }
      defer { client.close() }
      var synced = now()
      let end = now() + MQTTMachine.connectLimit
      var isConnected = false
      while !isInterrupted() {
        let (events, fault) = client.step(Self.second / 5)
        for event in events {
          switch event {
          case .connected(let reason, _):
            guard reason.code == 0 else { return reason.connectionError(for: address) }
            isConnected = true
            backOff.reset()
            _ = messages.succeed(at: now())
            do throws(SluiceError) { try client.subscribe(address.topic) } catch { return error }
            tell(.connected)
          case .subscribed(let reason):
            guard reason.isSuccess else {
              return SluiceError(
                .permissionDenied, "read from", address.text,
                because: "the broker does not let this user subscribe to \(address.topic)",
                remedy: "let it read there, in the access list of the broker")
            }
          case .received(let message): try add(message)
          case .ended(let reason): return reason.connectionError(for: address)
          case .published: break
          }
        }
        if let fault { return fault }
        guard isConnected || now() < end else {
          return SluiceError(.disconnected, "read from", address.text, because: "the broker does not answer")
        }
        if now() - synced >= Self.second {
          try sync()
          synced = now()
        }
      }
      client.disconnect()
      // What has come until now is acknowledged.
      for event in client.step(0).events {
        if case .received(let message) = event { try add(message) }
      }
      return nil
    }

    func add(_ message: MQTTMessage) throws(SluiceError) {
      let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
      let isReadings = levels.count > 1 && levels[levels.count - 2] == "readings"
      guard isReadings else {
        if levels.last == "state" { try see(message) }
        return
      }
      let landed: LandedMessage
      do throws(LandedMessage.Fault) { landed = try LandedMessage(message, common: common) } catch {
        let cause =
          switch error {
          case .notNumbered: "it lacks epoch, stream, sequence or rows"
          case .wrongForm: "it does not have the form of a board's message"
          case .otherBoard: Self.otherBoard
          }
        return leaveOut(message, because: cause)
      }
      let folder = landed.topic.folder
      let share = LandedTopic.share(of: folder)
      let hasRoom = hasRoom(share)
      guard boards[folder] != nil || hasRoom else { return leaveOut(message, because: Self.tooMany) }
      do throws(SluiceError) {
        let board = try board(landed.topic.name(of: landed.board), folder: folder)
        let (open, files, weight) = (board.openCount, board.fileCount, board.weight)
        if let cause = try board.add(landed, hasRoom: hasRoom, syncsNames: maySync(share)) {
          leaveOut(message, because: cause)
        }
        openFiles += board.openCount - open
        shares[share]?.synced += board.fileCount - files
        shares[share]?.weight += board.weight - weight
      } catch {
        // Something is there with the name of the board or of a file. Only an error of the disk is one for all.
        guard let code = error.errno, [EEXIST, ENOTDIR, EISDIR, ELOOP, EACCES, EPERM, ENAMETOOLONG].contains(code)
        else {
          throw error
        }
        leaveOut(message, because: "\(error)")
      }
      guard openFiles > Self.mostOpen else { return }
      for board in boards.values { board.close() }
      openFiles = 0
    }

    private func maySync(_ share: String) -> Bool { (shares[share]?.synced ?? 0) < Self.mostSyncs }

    private static let otherBoard = "the board in it is not the board of its topic, or the topic has an empty level"
    private static let tooMany = "there are too many boards below its first level"

    private func hasRoom(_ share: String) -> Bool {
      shares[share].map { $0.weight < Self.mostWeight } ?? (shares.count < Self.mostShares)
    }

    /// No message of a board may end the program, which is there for all.
    private func leaveOut(_ message: MQTTMessage, because cause: String) {
      strange += 1
      let level = message.topic.split(separator: "/", omittingEmptySubsequences: false).dropFirst(common).first
      // Names that nobody has are not kept.
      let own = level.map { LandedTopic.share(of: LandedTopic.folder(of: $0)) } ?? ""
      let share = shares[own] == nil ? "" : own
      shares[share, default: Share()].news.leaveOut(message.topic, because: cause)
    }

    /// What a board says of itself, or the broker of it.
    private struct State: Decodable {
      var state: String
      var board: String?
      var epoch: String?
      var next: UInt64?
    }

    private func see(_ message: MQTTMessage) throws(SluiceError) {
      guard let state: State = try? JSON(parsing: message.bytes.prefix(4_096)).decode() else { return }
      guard ["online", "ended", "gone"].contains(state.state), let board = state.board else { return }
      let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
      guard !board.hasControlCharacters, let topic = LandedTopic(root: levels.dropLast(), board: board, common: common)
      else { return leaveOut(message, because: Self.otherBoard) }
      if let epoch = state.epoch, let next = state.next, next <= SegmentLog.mostReadings {
        boards[topic.folder]?.ended(epoch, before: next)
      }
      let (name, share) = (topic.name(of: board), LandedTopic.share(of: topic.folder))
      if shares[share]?.news.hasState(of: name) != true {
        guard hasRoom(share) else { return leaveOut(message, because: Self.tooMany) }
        shares[share, default: Share()].weight += Self.stateWeight + 4 * name.utf8.count
      }
      shares[share]?.news.see(state.state, of: name)
    }

    private func board(_ name: String, folder: String) throws(SluiceError) -> LandedBoard {
      if let board = boards[folder] { return board }
      let share = LandedTopic.share(of: folder)
      let board = try LandedBoard(name, folder: folder, in: self.folder, files, syncs: maySync(share)) {
        tell(.cut(file: $0, bytes: $1))
      }
      boards[folder] = board
      shares[share, default: Share()].weight += board.weight
      shares[share]?.synced += 1
      shares[share]?.folders.append(folder)
      return board
    }

    func sync() throws(SluiceError) {
      if boards.values.reduce(0, { $0 + $1.changedCount }) > Self.mostSyncs {
        // The rows first, and then their numbers.
        try syncDisk()
        for board in boards.values { try board.noteNumbers(syncs: false) }
        try syncDisk()
      } else {
        for board in boards.values { try board.sync() }
      }
      for share in shares.keys {
        shares[share]?.synced = 0
        say(share, isOld: false)
      }
    }

    /// Puts all files on the disk at once, which takes less time than many files one by one.
    private func syncDisk() throws(SluiceError) {
      do throws(SystemErrno) { try files.sync(diskOf: folder) } catch {
        throw SluiceError("write", folder, errno: error.code)
      }
    }

    /// Tells what is due of a share.
    private func say(_ key: String, isOld: Bool) {
      guard let folders = shares[key]?.folders else { return }
      var (gaps, shared) = ([LandGap](), [String: Int]())
      for board in folders.compactMap({ boards[$0] }) {
        if gaps.count < Self.mostGapsOfShare { gaps += Self.gaps(board, most: Self.mostGaps) }
        if board.shared > 0 { shared[board.name] = board.shared }
      }
      let news = shares[key]?.news.next(gaps, shared: shared, at: now(), isOld: isOld) { gap in
        folders.contains { boards[$0]?.name == gap.board && boards[$0]?.lacks(gap.numbers, of: gap.epoch) == true }
      }
      if let news { tell(news) }
    }
  }

  /// Numbers that have not come from a board.
  package struct LandGap: Hashable, Sendable {
    package var board: String
    package var epoch: String
    package var numbers: Range<UInt64>

    /// What closes it, on the board.
    package var command: String {
      "sluice resend --spool DIR --from \(numbers.lowerBound) --to \(numbers.upperBound - 1)"
    }
  }
#endif
