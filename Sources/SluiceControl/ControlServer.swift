import Dispatch
import Sluice
package import SluiceReadings
import SluiceSystem

/// Lets programs on this machine see and control a recording, through a socket in the file system.
///
/// ```swift
/// let server = try ControlServer(socket, desk)
/// try server.start()
/// recording.start()
/// recording.wait()
/// server.end("the recording has ended")
/// ```
///
/// Without a client it costs nothing: the kernel wakes the queue when a client connects.
package final class ControlServer: @unchecked Sendable {
  // Only `queue` uses the variables, except `news`, which has its lock.

  struct Limits {
    /// The most connections at a time.
    var connections = 16
    /// The most connections of users other than the owner and root, so that these users cannot keep the owner out.
    var ofOthers = 8
    /// The milliseconds between two checks of the time limits, and between two states for clients that follow.
    var tick = 1_000
    /// The most events that wait for the queue of the server.
    var news = 1_024
    var connection = ControlConnection.Limits()
  }

  private struct News {
    var waiting: [ControlAnswer] = []
    var missed = 0
  }

  private let socket: ControlSocket
  private let desk: any ControlDesk
  private let limits: Limits
  private let owner: UInt32
  private let root: UInt32
  private let queue = DispatchQueue(label: "sluice.control")
  private let news = Locked(News())
  private var listening: Int32?
  private var watch: SocketWatch?
  private var clients: [ObjectIdentifier: Client] = [:]
  private var isTickComing = false
  private var isFollowed = false
  private var hasEnded = false

  package convenience init(_ socket: ControlSocket, _ desk: any ControlDesk) {
    self.init(socket, desk, limits: Limits(), owner: geteuid())
  }

  /// - Parameters:
  ///   - owner: The user of the recording, who may send all requests.
  ///   - root: The other user who may send all requests.
  init(_ socket: ControlSocket, _ desk: any ControlDesk, limits: Limits, owner: UInt32, root: UInt32 = 0) {
    (self.socket, self.desk, self.limits, self.owner, self.root) = (socket, desk, limits, owner, root)
  }

  /// Begins to listen.
  package func start() throws(SluiceError) {
    let watch: SocketWatch
    do throws(SystemErrno) { watch = try SocketWatch(on: queue) } catch {
      throw SluiceError("watch the socket", socket.path, errno: error.code)
    }
    let descriptor = try socket.listen()
    queue.sync {
      (self.watch, listening) = (watch, descriptor)
      watch.add(descriptor) { [weak self] in self?.accept(descriptor) }
      watch.watch(descriptor, reads: true)
    }
  }

  /// Tells each client that the connection ends, sends as much as its socket takes at once, and gives the name up.
  /// - Parameter sentence: What became of the recording. It is also the answer to a request that has none yet.
  package func end(_ sentence: String) {
    queue.sync {
      guard !hasEnded else { return }
      hasEnded = true
      if let listening { watch?.close(listening) }
      listening = nil
      desk.follow(nil)
      let now = monotonicMilliseconds()
      for client in clients.values {
        client.machine.answer(.done(sentence), at: now)
        client.machine.close(sentence, at: now)
        client.write(now)
        remove(client)
      }
    }
    socket.close()
  }

  // MARK: Clients

  private final class Client: @unchecked Sendable {
    // Only the queue of the server uses the variables.

    let descriptor: Int32
    let peer: UnixSocket.Peer
    let mayChange: Bool
    var machine: ControlConnection

    init(_ descriptor: Int32, _ peer: UnixSocket.Peer, mayChange: Bool, _ machine: ControlConnection) {
      (self.descriptor, self.peer, self.mayChange, self.machine) = (descriptor, peer, mayChange, machine)
    }

    /// Sends as much as the socket takes now.
    func write(_ now: UInt64) {
      while machine.hasOutput {
        let result = machine.withOutput { bytes in
          Result { () throws(SystemErrno) in try UnixSocket.send(descriptor, bytes) }
        }
        switch result {
        case .success(0): return
        case .success(let count): machine.took(count, at: now)
        case .failure: return machine.drop()
        }
      }
    }

    /// Reads a piece of the bytes that have arrived.
    func read() {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      do throws(SystemErrno) {
        guard let count = try UnixSocket.receive(descriptor, into: &bytes) else { return }
        if count == 0 { machine.endInput() } else { machine.receive(bytes[..<count]) }
      } catch {
        machine.drop()
      }
    }
  }

  private func accept(_ listening: Int32) {
    do throws(SystemErrno) {
      while let descriptor = try UnixSocket.accept(listening) { admit(descriptor) }
    } catch {
      // There is no descriptor left, but the client still waits: without a pause, accept would be tried in an endless
      // loop.
      watch?.watch(listening)
      queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
        guard let self, let listening = self.listening else { return }
        watch?.watch(listening, reads: true)
      }
    }
  }

  private func admit(_ descriptor: Int32) {
    let now = monotonicMilliseconds()
    guard let peer = UnixSocket.peer(of: descriptor) else { return closeFile(descriptor) }
    let mayChange = peer.user == owner || peer.user == root
    let client = Client(
      descriptor, peer, mayChange: mayChange, ControlConnection(at: now, limits: limits.connection))
    if clients.count >= limits.connections { dropGone() }
    var others: Int { clients.values.count { !$0.mayChange } }
    if clients.count >= limits.connections || !mayChange && others >= limits.ofOthers {
      endIdle(for: client, at: now)
    }
    if clients.count >= limits.connections || !mayChange && others >= limits.ofOthers {
      let count = clients.count
      client.machine.close(
        "there \(count == 1 ? "is 1 connection" : "are \(count) connections") already, and no more are admitted",
        at: now)
      client.write(now)
      return closeFile(descriptor)
    }
    clients[ObjectIdentifier(client)] = client
    watch?.add(descriptor) { [weak self, weak client] in
      guard let self, let client else { return }
      if client.machine.wantsInput { client.read() }
      self.go(on: client)
    }
    go(on: client)
    scheduleTick()
  }

  /// Closes the connection that has been idle for the longest time, so that idle connections do not keep out new ones.
  /// If the owner connects, idle connections of other users are closed first. If another user connects, only a
  /// connection of another user is closed.
  private func endIdle(for new: Client, at now: UInt64) {
    let idle = clients.values.filter { $0.machine.isIdle && (new.mayChange || !$0.mayChange) }
    func rank(_ client: Client) -> (Int, UInt64, Int) {
      (client.mayChange ? 1 : 0, client.machine.moved, client.machine.hasAsked ? 1 : 0)
    }
    let oldest = idle.min { rank($0) < rank($1) }
    guard let oldest else { return }
    oldest.machine.close(
      "there are too many connections, and this one has been idle for the longest time", at: now)
    oldest.write(now)
    remove(oldest)
  }

  /// Nothing is read from a client whose request is in work, so its end is looked for.
  private func dropGone() {
    for client in clients.values where client.machine.phase == .working && UnixSocket.hasHungUp(client.descriptor) {
      client.machine.drop()
      remove(client)
    }
  }

  private func remove(_ client: Client) {
    guard clients.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
    watch?.close(client.descriptor)
  }

  /// Performs the requests of a client, sends the output that waits for it, and watches its socket.
  private func go(on client: Client) {
    // Its socket is closed, and the number may be that of another one.
    guard clients[ObjectIdentifier(client)] != nil else { return }
    let now = monotonicMilliseconds()
    while case .answer(let request) = client.machine.next(at: now) { answer(request, client, now) }
    client.write(now)
    // There may be room for more answers now.
    while !hasEnded, case .answer(let request) = client.machine.next(at: now) {
      answer(request, client, now)
      client.write(now)
    }
    guard !client.machine.isOver, clients[ObjectIdentifier(client)] != nil else { return remove(client) }
    watch?.watch(client.descriptor, reads: client.machine.wantsInput, writes: client.machine.hasOutput)
  }

  private func answer(_ request: ControlRequest, _ client: Client, _ now: UInt64) {
    guard client.mayChange || !request.changes else {
      return client.machine.answer(
        .refused(
          "only user \(owner), whose recording it is, and root may \(request.word); this is user \(client.peer.user), "
            + "who may ask for its status"), at: now)
    }
    if request == .status(follows: true) { follow() }
    desk.answer(request) { [weak self, weak client] answer in
      guard let self, let client else { return }
      queue.async {
        client.machine.answer(answer, at: monotonicMilliseconds())
        self.go(on: client)
      }
    }
  }

  // MARK: Clients that follow

  private func follow() {
    guard !isFollowed else { return }
    isFollowed = true
    desk.follow { [weak self] answer in self?.happened(answer) }
  }

  /// Any thread calls it.
  private func happened(_ answer: ControlAnswer) {
    let isFirst = news.withLock { [limits] news in
      guard news.waiting.count < limits.news else {
        news.missed += 1
        return false
      }
      news.waiting.append(answer)
      return news.waiting.count == 1
    }
    if isFirst { queue.async { self.tell() } }
  }

  private func tell() {
    let news = news.withLock { news in
      defer { news = News() }
      return news
    }
    let now = monotonicMilliseconds()
    for client in clients.values where client.machine.phase == .following {
      for answer in news.waiting { client.machine.tell(answer, at: now) }
      if news.missed > 0 { client.machine.miss(news.missed, at: now) }
      go(on: client)
    }
  }

  // MARK: Time

  /// While there is no client, nothing runs.
  private func scheduleTick() {
    guard !isTickComing, !clients.isEmpty else { return }
    isTickComing = true
    queue.asyncAfter(deadline: .now() + .milliseconds(limits.tick)) { [weak self] in
      guard let self else { return }
      isTickComing = false
      tick()
      scheduleTick()
    }
  }

  private func tick() {
    let now = monotonicMilliseconds()
    dropGone()
    for client in clients.values {
      if client.machine.look(at: now) {
        client.write(now)
        client.machine.drop()
      }
      go(on: client)
    }
    let followers = clients.values.filter { $0.machine.phase == .following }
    if followers.isEmpty {
      if isFollowed { desk.follow(nil) }
      isFollowed = false
    }
    let waiting = followers.filter(\.machine.isCaughtUp)
    guard !waiting.isEmpty else { return }
    desk.answer(.status(follows: true)) { [weak self] answer in
      guard let self else { return }
      queue.async {
        let now = monotonicMilliseconds()
        for client in waiting where client.machine.isCaughtUp {
          client.machine.tell(answer, at: now)
          self.go(on: client)
        }
      }
    }
  }
}
