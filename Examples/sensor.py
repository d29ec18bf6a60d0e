import time

value = 20.0
while True:
    value += 0.25
    print(f"temp:{value} hum:{60 - value}", flush=True)
    time.sleep(0.01)
