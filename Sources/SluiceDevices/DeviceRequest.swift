/// A request of ioctl(2). Tests replace it, because it needs a device of the kernel.
typealias DeviceRequest = @Sendable (_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32
