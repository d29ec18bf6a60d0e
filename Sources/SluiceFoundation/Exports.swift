// `import SluiceFoundation` stands for `import Combine`, which on Apple's platforms works with Foundation by itself.
@_exported import Sluice
@_exported import SluiceDispatch
