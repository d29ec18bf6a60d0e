import SluiceSystem

/// The user whose permissions count.
struct User: Equatable {
  var id: UInt32
  /// The groups of this process, from its login.
  var groups: Set<UInt32>

  /// The user of this process.
  static var current: User {
    let count = max(0, getgroups(0, nil))
    var groups = [gid_t](repeating: 0, count: Int(count))
    let found = groups.isEmpty ? 0 : max(0, getgroups(count, &groups))
    return User(id: geteuid(), groups: Set(groups.prefix(Int(found)) + [getegid()]))
  }
}

/// The users and groups of the files etc/passwd and etc/group, without those of a directory service.
struct Accounts: Equatable {
  struct Group: Equatable {
    var name: String
    var id: UInt32
    var members: [String]
  }

  var names: [UInt32: String] = [:]
  var groups: [Group] = []

  /// - Parameters:
  ///   - passwd: Lines of the form `name:password:uid:gid:comment:home:shell` (passwd(5)).
  ///   - group: Lines of the form `name:password:gid:member,member` (group(5)).
  init(passwd: String, group: String) {
    for cells in Self.rows(passwd) where cells.count >= 3 {
      // As in getpwuid(3), the first line with a number gives its name.
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

  /// The groups of the user that this process does not have, because the user was added to them after the login.
  func pending(_ user: User) -> [Group] {
    guard let name = names[user.id] else { return [] }
    return groups.filter { $0.members.contains(name) && !user.groups.contains($0.id) }
  }
}
