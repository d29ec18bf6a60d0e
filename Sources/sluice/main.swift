import SluiceTool

SluiceCommand.main()
