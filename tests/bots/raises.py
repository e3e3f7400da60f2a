import json


def act(view, legal):
    return json.loads("no JSON")
