swift build
printf '\x15\x00' >register
swift run thermometer record room=thermometer:register --duration 10s -o room.csv &
sleep 5; printf '\x16\x80' >register; wait
swift run thermometer info room.csv
swift run thermometer plot room.csv
