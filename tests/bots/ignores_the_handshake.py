import time

from good import run

run(hello=lambda message: time.sleep(60))
