import json

json.loads("no JSON")


def act(view, legal):
    return legal[0]
