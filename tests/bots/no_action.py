from good import run, say

run(lambda message: say({}))
