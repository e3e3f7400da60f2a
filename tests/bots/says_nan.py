from good import run, say

run(lambda message: say({"action": float("nan")}))
