import time

from good import run

run(lambda message: time.sleep(60))
