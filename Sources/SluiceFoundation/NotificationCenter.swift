public import Foundation
public import Sluice

extension NotificationCenter {
  /// Publishes the notifications with a name when they are posted, on the posting thread.
  ///
  /// ```swift
  /// let cancellable = NotificationCenter.default.publisher(for: .mounted).sink { print($0.userInfo ?? [:]) }
  /// ```
  ///
  /// - Parameter object: The object of the notifications; nil for all objects.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// Publishes the notifications with a name.
  ///
  /// It observes from the subscription to the cancellation. A notification without demand is dropped. It never ends.
  /// Notifications that several threads post at the same moment, or that are posted while another is received, come one
  /// after the other.
  public struct Publisher: _DirectPublisher, Equatable {
    public typealias Output = Notification
    public typealias Failure = Never

    /// The center that posts the notifications.
    public let center: NotificationCenter
    /// The name of the notifications.
    public let name: Notification.Name
    /// The object of the notifications; nil for all objects.
    public let object: AnyObject?

    /// Publishes notifications with a name, of one object or of all objects.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    public static func == (a: Self, b: Self) -> Bool {
      a.center == b.center && a.name == b.name && a.object === b.object
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
      let core = Operators.RelayCore<Notification, Never>(forwards: false, takesNoDemand: true)
      let conduit = Operators.Conduit("NotificationCenter Observer", core, AnySubscriber(subscriber))
      conduit.children = { [weak center, name, weak object] conduit in
        [
          ("center", center as Any), ("name", name), ("object", object as Any),
          ("demand", conduit.demand()),
        ]
      }
      // Weak, so that releasing the subscription also cancels it.
      let token = center.addObserver(forName: name, object: object, queue: nil) { [weak conduit] notification in
        conduit?.feed(passing: { $0.pass(notification) }) { $0.receive(notification) }
      }
      // Retains the object: the center identifies it by its address, which must not be reused.
      let link = SourceLink { [center, object] in withExtendedLifetime(object) { center.removeObserver(token) } }
      conduit.connect(link, 0)
    }
  }
}
