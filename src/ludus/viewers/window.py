"""The window: a stage on a screen, by pygame-ce. Live games run beside it in a thread; it stays open when they are over."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from typing import Any

from ludus.core import LudusError, MissingExtra

from .choices import Choice
from .stage import Reel, Stage

SHARE = 0.85  # of the screen
LEAST = (640, 480)
FPS = 30
NO_SCREEN = ("offscreen", "dummy")  # drivers that SDL takes by itself where there is none


def pygame_module() -> Any:
    """Return pygame, or say in a sentence how to get it."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        raise MissingExtra("pygame-ce, which opens windows,", "view") from None
    return pygame


class Window:
    """A window on a reel of scenes."""

    def __init__(
        self, reel: Reel, title: str, size: tuple[int, int] | None = None, speed: float = 2.0, is_live: bool = False
    ) -> None:
        self._pygame = pygame = pygame_module()
        try:
            pygame.display.init()
            if pygame.display.get_driver() in NO_SCREEN and "SDL_VIDEODRIVER" not in os.environ:
                pygame.display.quit()
                raise pygame.error("there is no screen")
            self.stage = Stage(reel, size or self._size(), speed, is_live=is_live)
            self._screen = pygame.display.set_mode(self.stage.size, pygame.RESIZABLE)
        except pygame.error as error:
            raise LudusError(
                f"no window can be opened here ({error}); look at it in the terminal, or write a picture"
            ) from None
        pygame.display.set_caption(title)
        pygame.key.set_repeat(300, 60)
        self._clock, self._drag, self._shown = pygame.time.Clock(), False, None

    def _size(self) -> tuple[int, int]:
        """Return 85 % of the screen."""
        sizes = self._pygame.display.get_desktop_sizes() or [(1280, 900)]
        width, height = sizes[0]
        return max(LEAST[0], round(width * SHARE)), max(LEAST[1], round(height * SHARE))

    def run(self, beside: Callable[[], None] | None = None) -> None:
        """Show the reel until somebody closes the window; `beside` is called between two pictures."""
        try:
            while not self.stage.is_closed:
                if beside is not None:
                    beside()
                self.tick()
        finally:
            self.close()

    def catch_up(self) -> None:
        """Show what was added to the reel, and come back when it was seen."""
        while not self.stage.is_closed and (self.stage.at < len(self.stage.reel) - 1 or self.stage.t < 1):
            self.tick()

    def tick(self) -> None:
        """Answer keys and mouse, let time pass, draw."""
        for event in self._pygame.event.get():
            self._answer(event)
        self.stage.advance(self._clock.tick(FPS) / 1000)
        picture = self.stage.picture()
        if picture is not self._shown and not self.stage.is_closed:
            self._shown = picture
            surface = self._pygame.image.frombuffer(picture.tobytes(), picture.size, "RGB")
            self._screen.blit(surface, (0, 0))
            self._pygame.display.flip()

    def save(self, path: str) -> None:
        """Write what the window shows as a picture."""
        self._pygame.image.save(self._screen, path)

    def close(self) -> None:
        """Close the window."""
        self.stage.close()
        self._pygame.display.quit()

    def _answer(self, event: Any) -> None:
        pygame, stage = self._pygame, self.stage
        if event.type == pygame.QUIT:
            stage.close()
        elif event.type == pygame.VIDEORESIZE:
            stage.resize((event.w, event.h))
            self._screen = pygame.display.get_surface() or self._screen
            if self._screen.get_size() != stage.size:
                self._screen = pygame.display.set_mode(stage.size, pygame.RESIZABLE)
        elif event.type == pygame.KEYDOWN:
            sign = getattr(event, "unicode", "")
            stage.press(sign if sign in ("+", "-", ",", ".", "=") and sign else _key_name(pygame.key.name(event.key)))
        elif event.type == pygame.MOUSEWHEEL:
            stage.wheel(event.y)
        elif event.type == pygame.MOUSEMOTION:
            stage.mouse = event.pos
            if event.buttons[0] and (self._drag or max(map(abs, event.rel)) > 2):
                self._drag = True
                stage.pan(*event.rel)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            if not self._drag:
                stage.mouse = event.pos
                stage.click(*event.pos)
            self._drag = False


def show_reel(reel: Reel, title: str, size: tuple[int, int] | None = None, speed: float = 1.0) -> None:
    """Show a game that was played in a window, until somebody closes it."""
    Window(reel, title, size, speed).run()


def _key_name(name: str) -> str:
    """Return a key as the stage calls it; those of the number pad are like the others."""
    return {"[+]": "+", "[-]": "-", "keypad +": "+", "keypad -": "-", "return": "space"}.get(name, name)


class Beside:
    """A game that is played in a thread of its own, while the window has the main one: it asks and shows through here."""

    def __init__(self, window: Window, play: Callable[[Beside], None]) -> None:
        self.window, self._play = window, play
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.is_stopped = False
        self.error: BaseException | None = None

    def run(self) -> None:
        """Play and show until the window is closed; what went wrong in the game is raised here."""
        thread = threading.Thread(target=self._played, daemon=True)
        thread.start()
        try:
            self.window.run(self._serve)
        finally:
            self.is_stopped = True
        thread.join(5)
        if self.error is not None:
            raise self.error

    def call(self, do: Callable[[], None]) -> None:
        """Let something be done by the window's thread."""
        self._calls.put(do)

    def ask(self, seat: int, choices: list[Choice]) -> Choice | None:
        """Wait for a person's choice; None if the window was closed."""
        answers: queue.SimpleQueue[Choice] = queue.SimpleQueue()
        self.call(lambda: self.window.stage.ask(seat, choices, answers.put))
        while not self.is_stopped:
            try:
                return answers.get(timeout=0.05)
            except queue.Empty:
                continue
        return None

    def keep_pace(self, most: int = 2) -> None:
        """Wait until the window has shown nearly all there is: a fast game does not run away."""
        stage = self.window.stage
        while not self.is_stopped and (not self._calls.empty() or len(stage.reel) - 1 - stage.at > most):
            threading.Event().wait(0.01)

    def _played(self) -> None:
        try:
            self._play(self)
        except BaseException as error:
            self.error = error
            self.window.stage.close()

    def _serve(self) -> None:
        while not self._calls.empty():
            self._calls.get()()
