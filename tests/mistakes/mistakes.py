"""Mistakes that authors make, one at a time, in three small games: where it is put, and what the check must say of it."""

# ruff: noqa: E501  (a table: one mistake a line)
from __future__ import annotations

from typing import NamedTuple


class Mistake(NamedTuple):
    """One edit of a game's file; `words` stand in the sentence that the check answers."""

    game: str
    file: str
    old: str
    new: str
    words: tuple[str, ...]


def _of(game: str, file: str, *edits: tuple[str, ...]) -> list[Mistake]:
    return [Mistake(game, file, old, new, words) for old, new, *words in edits]  # type: ignore[arg-type]


SOURCE = [
    *_of(
        "trio", "rules.py",
        ("    count = 0\n    for cell", "    free = []\n    count = 0\n    for cell", "rules.py line", "in legal", "a list"),
        ("    best = 0\n", "    best = max([0])\n", "in longest", "a list"),
        ("    count = 0\n    while", "    count = {0: 0}[0]\n    while", "in run", "a dictionary"),
        ("    best = 0\n", "    best = sum(1 for _ in range(0))\n", "in longest", "not in the kernel subset"),
        ("    s.turn += 1\n", "    s.turn += 1\n    print(s.turn)\n", "in apply", "print()"),
        ("    s.turn += 1\n", "    if s.turn > 99:\n        raise ValueError\n    s.turn += 1\n", "in apply", "raise"),
        ("    s.turn += 1\n", "    assert s.turn >= 0\n    s.turn += 1\n", "in apply", "assert"),
        ("    s.turn += 1\n", "    try:\n        s.turn += 1\n    finally:\n        pass\n", "in apply", "try"),
        ("    count = 0\n    while", "    steps = np.zeros(3)\n    count = 0\n    while", "in run", "np.zeros()"),
        ("    s.turn += 1\n", '    name = f"{action}"\n    s.turn += 1\n', "in apply", "a string"),
        ("@rule\ndef is_over", "def is_over", "is_over is not marked @rule"),
        ("@rule\ndef legal", "def legal", "legal is not marked @rule"),
        ("    return best\n", "    return best if best < 99 else longest(s, cell)\n", "recursion"),
        ("        x, y, count = x + dx", "        x, y, count = steps + dx", "in run", "steps is not defined"),
        ("        x, y, count = x + dx", "        DX[0] = 1\n        x, y, count = x + dx", "in run", "writes to DX of the module"),
        ("def apply(s, action, rng):", "def apply(s, action):", "apply takes (s, action, rng)"),
        ("for cell in range(CELLS):\n        if s.owner", "for cell in range(SPEC.actions):\n        if s.owner", "cannot look into SPEC"),
        ("    s.turn += 1\n", "    global DX\n    s.turn += 1\n", "in apply", "global"),
        ("    return s.winner != NOBODY or", "    return s.winer != NOBODY or", "in is_over", "has no field winer"),
        ("    s.seat = 1 - s.seat\n", "    s.seat = 1 - s.saet\n", "in apply", "has no field saet"),
        ("NOBODY = -1\n", "NOBODY = -1\n)", "rules.py line 10"),
        ('("winner", "i4")', '("winner", "f4")', "State.winner", "float32"),
        ('"i1", (HEIGHT', '"?", (HEIGHT', "State.owner", "bool"),
        ("    align=True,\n", "", "State is not aligned"),
        ('        ("turn", "i4"),  # cells claimed so far\n', "", "State has no field turn"),
        ('("last_reward", "i4", SEATS)', '("last_reward", "i4", 3)', "last_reward", "2 seats"),
        ('Option("row", 3, 3, 4', 'Option("row", 5, 3, 4', "option row", "not 5"),
        ('Option("row", 3', 'Option("rows", 3', "opt_rows"),
        ("planes=(SEATS, HEIGHT, WIDTH)", "planes=(SEATS, CELLS)", "SPEC.planes"),
        ('seats=("x", "o")', 'seats=("x", "x")', "SPEC.seats"),
        ("SEATS = 5, 4, 2\n", "SEATS = 5, 4, 2, 1\n", "rules.py line", "ValueError"),
    ),
    *_of(
        "cards", "rules.py",
        ("@rule\ndef sample", "@rule\ndef samples", "observe but no sample"),
        ('("lead", "i4"),  # the card', '("round", "i4"),\n        ("lead", "i4"),  # the card', "State.round", "NumPy"),
        (
            "    for card in range(CARDS):\n        view.mine[card] = 1 if s.place[card] == seat else 0\n",
            "    view.played[:] = s.place\n    for card in range(CARDS):\n        view.mine[card] = 1 if s.place[card] == seat else 0\n",
            "in observe", "copies a whole array",
        ),
        ("        view.tricks[k] = s.tricks[k]\n", "        view.tricks = s.tricks\n", "in observe", "view.tricks is an array"),
    ),
    *_of(
        "cards", "bots.py",
        ("    return any_marked(mask, rng)", "    return int(np.random.randint(10))", "bots.py line", "draw(rng, n) alone"),
        ("@rule\ndef thrifty", "def thrifty", "thrifty is not marked @rule"),
        ("rng, scratch):", "rng, memory):", "in thrifty", "scratch"),
        ('("low", "i4")', '("low", "i4"), ("more", "i4")', "Scratch", "8 bytes"),
    ),
]  # fmt: skip

PLAYED = [
    *_of(
        "trio", "rules.py",
        ("        x, y, count = x + dx, y + dy, count + 1", "        count = count + 1", "loop that does not end", "in run"),
        ("while 0 <= x < WIDTH and", "while x < WIDTH and", "in run", "index -1 of the field owner"),
        ("0 <= y < HEIGHT and", "0 <= y <= HEIGHT and", "in run", "index 4 of the field owner on axis 0"),
        ("for line in range(4)", "for line in range(5)", "in longest", "index 4 of the tuple DX"),
        ("DX[line], DY[line])", "DX[line - 1], DY[line])", "in longest", "index -1 of the tuple DX"),
        ("            mask[cell] = 1\n", "            mask[cell + 1] = 1\n", "SPEC.actions"),
        ("    return count\n\n\n@rule\ndef apply", "    return CELLS - s.turn + 1\n\n\n@rule\ndef apply", "legal returned 21 but marked 20"),
        ("            mask[cell] = 1\n", "            mask[cell] = 2\n", "wrote 2 into the mask"),
        ("    if is_over(s):\n        return 0\n", "", "legal and result contradict"),
        ("s.seat, s.turn, s.winner = 0, 0, NOBODY", "s.seat, s.turn = 0, 0", "new does not write the field winner"),
        ("    s.owner[:] = NOBODY\n", "", "new does not write the field owner"),
        ("    s.seat = 1 - s.seat\n", "    s.seat = s.seat + 1\n", "leaves seat 2"),
        ("    s.seat = 1 - s.seat\n", "", "sound refuses a position that was reached"),
        ("    clear_last(s)\n    s.owner[action", "    s.owner[action", "apply does not write the field last_reward"),
        ("            s.last_reward[seat] = 1 if seat == s.winner else -1", "            s.last_reward[seat] = -1 if seat == s.winner else 1",
         "last_reward", "contradict"),
        ("            s.last_reward[seat] = 1 if seat == s.winner else -1", "            s.last_reward[seat] = 0", "never wrote a reward"),
        ("            outcome[seat] = 1 if seat == s.winner else -1", "            outcome[seat] = 1 if seat == s.winner else -2", "from -1 to 1"),
        ("            outcome[seat] = 1 if seat == s.winner else -1", "            outcome[seat] = 1", "every side win"),
        ("            outcome[seat] = 1 if seat == s.winner else -1", "            outcome[seat] = 0", "the same outcome"),
        ("        points[seat] = outcome[seat]\n", "", "does not write points[0]"),
        ("        outcome[seat] = 0\n        if s.winner", "        if s.winner", "does not write outcome[0]"),
        ("    return 1 if is_over(s) else 0", "    return is_over(s)", "returned False"),
        ("    return 1 if is_over(s) else 0", "    return 3 if is_over(s) else 0", "returned 3"),
        ("s.winner != NOBODY or s.turn == CELLS", "s.winner != NOBODY", "contradict each other"),
        ("planes[int(view.owner[y, x] != view.me), y, x] = 1", "planes[int(view.owner[y, x] != view.me), x, y] = 1", "the planes", "in encode"),
        ("planes[int(view.owner[y, x] != view.me), y, x] = 1", "planes[int(view.owner[y, x] != view.me), y, x] = 2", "writes 2 into the planes"),
        ("planes[int(view.owner[y, x] != view.me), y, x] = 1", "planes[int(view.owner[y, x]), y, x] = 1", "whose move it is"),
        ("planes[int(view.owner[y, x] != view.me), y, x] = 1", "pass", "wrote nothing into any planes"),
        ("    count = 0\n    for cell", "    s.last_action = 0\n    count = 0\n    for cell", "legal changes the field last_action"),
        ("    s.turn += 1\n", "    s.turn += 1\n    s.opt_row = 3 + s.turn % 2\n", "apply changes opt_row"),
        ("    s.turn += 1\n", "    s.turn -= 1\n", "turn"),
        ("            return cell\n", "            return cell + 1\n", "default returned"),
        ("            if not NOBODY <= s.owner[y, x] < SEATS:\n                return False\n", "", "sound accepts a row with"),
        (" and -1 <= s.last_action < CELLS", "", "sound accepts a row with last_action"),
        (" and NOBODY <= s.winner < SEATS", "", "sound accepts a row with winner"),
        ("longest(s, action) >= s.opt_row", "longest(s, action) >= 3", "option row changes nothing"),
        ("    whose = s.owner[cell // WIDTH, cell % WIDTH]\n", "    if dx > 0:\n        whose = s.owner[cell // WIDTH, cell % WIDTH]\n",
         "in run", "UnboundLocalError"),
        ("    s.last_action = action\n", "    s.last_action = action / 1\n", "writes the float"),
        ("    s.last_action = action\n", "    s.last_action = action * 2**40\n", "type i4 ends at"),
        ("        best = max(best, here)\n", "        best = max(best, here)\n        if (s.owner == 5).any():\n            best = 0\n",
         "in longest", "whole array"),
    ),
    *_of(
        "cards", "rules.py",
        ("draw(rng, CARDS - seat * HAND - k)", "draw(rng, CARDS - 9 - seat)", "in new", "draw(rng, 0)"),
        ("    s.turn += 1\n    s.seat, s.lead = winner, NONE", "    s.turn += 1\n    s.seat, s.lead = winner, -2", "sound"),
        ("    s.turn += 1\n", "", "sound refuses a position that was reached"),
        ("view.mine[card] = 1 if s.place[card] == seat else 0", "view.mine[card] = 1 if s.place[card] < 2 else 0", "sample makes a position that sound refuses"),
        ("    view.lead, view.last_card = s.lead, s.last_card\n", "    view.last_card = s.last_card\n", "observe does not write the field lead"),
        ("        if view.mine[card]:\n            s.place[card] = view.me\n", "        if view.mine[card]:\n            s.place[card] = 0\n", "sample"),
        ("s.seat, s.turn, s.lead, s.last_card = view.seat, view.turn, view.lead, view.last_card",
         "s.seat, s.turn, s.last_card = view.seat, view.turn, view.last_card", "sample does not write the field lead"),
        ("give_unseen(view, s, draw(rng, unseen - k))", "give_unseen(view, s, 0)", "whatever its chance"),
        ("    for k in range(theirs):\n", "    for k in range(theirs - 1):\n", "sample makes a position that sound refuses"),
        ("        if s.place[card] == s.seat:\n            mask", "        if s.place[card] == s.seat and (card > 0 or s.place[1] == s.seat):\n            mask", "rules.py"),
        ("s.seat if action > s.lead else 1 - s.seat", "s.seat if action < s.lead else 1 - s.seat", "thrifty loses to random"),
        ("    s.last_card = NONE\n", "", "does not write the field last_card"),
        ("points[seat] = s.tricks[seat]", "points[seat] = s.tricks[1 - seat]", "fewer points"),
        ("    s.tricks[winner] += worth\n", "    s.tricks[winner] += 1\n    s.tricks[winner] += 100 * (worth - 1)\n", "bonus=3", "sound"),
        ("worth = s.opt_bonus if", "worth = 1 if", "option bonus changes nothing"),
        ("outcome[seat] = 1 if s.tricks[seat] > s.tricks[1 - seat] else -1", "outcome[seat] = 1 if s.tricks[seat] < s.tricks[1 - seat] else -1",
         "last_reward"),
        ("(1 + view.lead) / 4", "(1 + view.lead) / 2", "into the planes"),
    ),
    *_of(
        "cards", "bots.py",
        ("        return highest\n", "        return 9\n", "thrifty answered 9, which is not marked"),
        ("    return cheapest if cheapest != NONE else lowest", "    return cheapest", "thrifty answered -1"),
        ("    scratch.asked += 1\n", "    scratch.asked += 1\n    mask[0] = 0\n", "changes the mask"),
        ("    scratch.asked += 1\n", "    scratch.aksed += 1\n", "Scratch has no field aksed"),
        ("    scratch.asked += 1\n", "    while scratch.asked >= 0:\n        scratch.asked |= 1\n", "thrifty", "has not returned"),
    ),
    *_of(
        "bids", "rules.py",
        ("    view.bid = s.bids[seat]\n", "    view.bid = s.bids[0]\n", "sample"),
        ("outcome[seat] = 1 if (even > odd) == (seat % 2 == 0) else -1", "outcome[seat] = 1 if (even > odd) == (seat < 2) else -1", "one side"),
        ("if seat % 2 == winner % 2 else", "if seat % 2 != winner % 2 else", "last_reward"),
        ("        s.seat = 0\n        settle(s)", "        settle(s)", "leaves seat 4"),
        ("        s.coins[winner] -= best\n", "        s.coins[winner] -= 2 * best\n", "legal returned"),
        ("    view.bid = s.bids[seat]\n", "    view.bid = s.bids[seat]\n    view.winner = s.bids[0]\n", "scene.py line"),
        ("range(s.coins[s.seat] + 1)", "range(s.coins[s.seat] + 2)", "legal returned"),
        ("    for bid in range(s.coins[s.seat] + 1):", "    for bid in range(s.coins[s.seat] + 1 - max(0, s.bids[0]) % 2):", "legal"),
        ("        elif k < view.seat:\n            s.bids[k] = draw(rng, view.coins[k] + 1)\n", "", "sample makes a position that sound refuses"),
        ("    shuffle(s, seen, rng)\n", "    shuffle(s, seen - 1, rng)\n", "View.prize"),
        ("s.coins[seat], s.score[seat], s.bids[seat] = s.opt_coins, 0, NONE", "s.coins[seat], s.score[seat], s.bids[seat] = 8, 0, NONE", "coins"),
        ("        view.reward[k] = s.last_reward[k]\n", "        view.reward[k] = s.bids[k]\n", "sample"),
        ("    s.bids[s.seat] = action\n", "    s.bids[s.seat] = action\n    s.last_winner = action % SEATS\n", "simultaneous"),
        ("    shuffle(s, 0, rng)\n", "    draw(rng, 3)\n", "seeds began with the same position"),
    ),
    *_of(
        "bids", "bots.py",
        ("return draw(rng, 1 + view.coins[view.me] // 4)", "return draw(rng, 9)", "steady answered"),
        ("    if view.prize[view.turn] >=", "    if view.prize[view.turn + 1] >=", "in steady", "index 5 of the field prize"),
    ),
]  # fmt: skip

WORDS = [
    *_of(
        "trio", "actions.py",
        ('"1234"[cell // WIDTH]', '"1224"[cell // WIDTH]', "the same name"),
        ("    return NAMES.index(word)", "    return NAMES.index(word) % 19", "reads as 0"),
        ('        raise UnknownName("cell", text, NAMES)', '        raise KeyError(text)', "KeyError"),
        ('        raise UnknownName("cell", text, NAMES)', "        return 0", "must raise UnknownName"),
        ('== NOBODY else "claimed"', '!= NOBODY else "claimed"', "why_not refuses action"),
        ('    if seat != s.seat:\n        return "not_your_turn"\n', "", "another seat's move"),
        ('    return "" if s.owner', '    return None if s.owner', "why_not returned None"),
        ('    if not 0 <= action < CELLS:\n        return "bad_action"\n', "", "why_not"),
    ),
    *_of(
        "trio", "text.py",
        ("s.opt_row, s.winner, s.last_action = numbers[:3]", "s.opt_row, s.winner = numbers[:2]", "does not restore the field last_action"),
        ("    s.last_reward[:] = numbers[3:]\n", "", "does not restore the field last_reward"),
        ("    s.seat = s.turn % 2\n", "", "does not restore the field seat"),
        ("len(words) != 9 or", "", "text.py line"),
        ('        raise BadRecord(f"a number', '        raise ValueError(f"a number', "ValueError", "BadRecord"),
        ('"turn": view.turn,', '"turn": view.turn + 1,', "turn"),
        ('"owner": view.owner.tolist()', '"owner": list(view.owner[0])', "public['owner'][0]"),
        ('"to_move": SPEC.seats[view.seat]', '"next": SPEC.seats[view.seat]', "no key 'to_move'"),
        ('"over": bool(is_over(view))', '"over": False', "over"),
        ('"me": SPEC.seats[view.me]', '"me": SPEC.seats[0]', "me = 'x'"),
        ("    facts = f\"row", "    s.winner = NOBODY\n    facts = f\"row", "text changes the field winner"),
    ),
    *_of(
        "trio", "scene.py",
        ("cell % WIDTH, cell // WIDTH, f", "cell % WIDTH + 1, cell // WIDTH, f", "beyond the board"),
        ('f"seat{owners[cell]}"', 'f"player{owners[cell]}"', "the role 'player"),
        ("Piece(NAMES[cell],", "Piece(NAMES[0],", "two pieces have the id"),
        ('rows=tuple("1234")', 'rows=tuple("123")', "Scene.rows has 3 labels"),
        ("NAMES[view.last_action]),)", '"a0"),)', "no piece"),
        ('("move", str(view.turn))', '("move", view.turn)', "scene.py", "numbers"),
        ('"XO"[owners[cell]])', '"XO claims"[owners[cell]:])', "two characters"),
        ("    if view.winner != NOBODY:\n", "    if view.winer != NOBODY:\n", "scene.py line", "winer"),
    ),
    *_of(
        "cards", "text.py",
        ('"lead": view.lead,', '"lead": np.int64(view.lead),', "public['lead']", "int64"),
        ('"tricks": view.tricks.tolist()', '"tricks": set(view.tricks.tolist())', "public['tricks']", "set"),
        ("    except ValueError:\n        raise BadRecord(f\"{name} holds numbers, not {word!r}\") from None\n", "    finally:\n        pass\n", "ValueError"),
        ("or not all(-9 <= number <= 99 for number in numbers)", "", "text.py line", "BadRecord"),
    ),
    *_of(
        "cards", "scene.py",
        ("    return _scene(view, mine)", "    return scene_all(view)", "scene.py line"),
        ("card, view.me, f\"seat{view.me}\"", "card, 1 + 2 * view.me, f\"seat{view.me}\"", "beyond the board"),
    ),
]  # fmt: skip

MISTAKES = [*SOURCE, *PLAYED, *WORDS]
