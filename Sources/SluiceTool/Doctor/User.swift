import SluiceSystem

/// Whose permissions count.
struct User: Hashable {
  var id: UInt32
  /// Those of this process, as they were at login.
  var groups: Set<UInt32>

  /// Of this process.
  static var current: User {
    let count = max(0, getgroups(0, nil))
    var groups = [gid_t](repeating: 0, count: Int(count))
    let found = groups.isEmpty ? 0 : max(0, getgroups(count, &groups))
    return User(id: geteuid(), groups: Set(groups.prefix(Int(found)) + [getegid()]))
  }
}

/// The users and groups of a system: its files etc/passwd and etc/group, without those of a directory service.
struct Accounts: Hashable {
  struct Group: Hashable {
    var name: String
    var id: UInt32
    var members: [String]
  }

  var names: [UInt32: String] = [:]
  var groups: [Group] = []

  /// - Parameters:
  ///   - passwd: `name:password:uid:gid:comment:home:shell` a line (passwd(5)).
  ///   - group: `name:password:gid:member,member` a line (group(5)).
  init(passwd: String, group: String) {
    for cells in Self.rows(passwd) where cells.count >= 3 {
      // The first of a number is its name (getpwuid(3)).
      if let id = UInt32(cells[2]), names[id] == nil { names[id] = cells[0] }
    }
    for cells in Self.rows(group) where cells.count >= 4 {
      guard let id = UInt32(cells[2]) else { continue }
      groups.append(Group(name: cells[0], id: id, members: cells[3].split(separator: ",").map(String.init)))
    }
  }

  private static func rows(_ text: String) -> [[String]] {
    text.split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
  }

  func group(_ id: UInt32) -> String { groups.first { $0.id == id }?.name ?? String(id) }

  func name(_ user: User) -> String { names[user.id] ?? String(user.id) }

  /// Groups that the user was added to, but that this process does not have: it was started before that.
  func pending(_ user: User) -> [Group] {
    guard let name = names[user.id] else { return [] }
    return groups.filter { $0.members.contains(name) && !user.groups.contains($0.id) }
  }
}
