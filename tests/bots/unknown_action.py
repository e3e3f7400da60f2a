from good import run, say

run(lambda message: say({"action": "fly to the moon"}))
