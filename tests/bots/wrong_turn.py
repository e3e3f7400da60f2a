from good import answer, run, say

run(lambda message: say({**answer(message), "turn": message["turn"] + 1}))
