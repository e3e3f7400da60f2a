"""docs/protocol.md is what the program writes, with a game of Chase as its example."""

from pathlib import Path

import msgspec
import pytest

from ludus.agents import wire
from ludus.agents.protocol_page import protocol_page

ROOT = Path(__file__).parent.parent.parent


def test_the_page_is_written_from_the_types() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    assert page == protocol_page("chase"), "run: python -m ludus.agents.protocol_page chase > docs/protocol.md"


def test_the_example_is_made_of_messages() -> None:
    lines = [line for line in protocol_page("chase").splitlines() if line.startswith(("-> ", "<- "))]
    assert len(lines) == 7
    for line in lines:
        data = line[3:].encode()
        kinds = wire.TO_BOT if line.startswith("->") else wire.FROM_BOT
        tag = msgspec.json.decode(data).get("type")
        (kind,) = [kind for kind in kinds if kind.__struct_config__.tag == tag]
        wire.decode(data, kind)


@pytest.mark.parametrize(
    "line", [b"", b"hello", b"[]", b"5", b'{"action": NaN}', b'{"action": 1.5}', b'{"actions": 3}', b"\xff"]
)
def test_what_is_no_message_is_refused_in_words(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w+"):
        wire.decode(line, wire.Reply)
