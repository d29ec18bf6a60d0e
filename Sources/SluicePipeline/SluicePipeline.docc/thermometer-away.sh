swift run thermometer record room=thermometer:register --duration 10s -o away.csv &
sleep 5; mv register elsewhere; sleep 1; mv elsewhere register; wait
swift run thermometer info away.csv
