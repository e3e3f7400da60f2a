"""The warden: a small process between referee and bot, which makes sure that nothing of a bot is left behind.

It is run as a script, knows nothing of Ludus, and adopts whatever the bot leaves: children that became daemons, too. It
watches how many they are and what memory they hold. When the referee closes its pipe, or dies, all of them are killed.
Told on the status pipe, a line each: `pid N`, then one of `exit N`, `signal N`, `memory N`, `processes N`, `void TEXT`.
"""

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import sys
import time

SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # of prctl
PERIOD_MS = 50
PAGE = resource.getpagesize()
KILLING_S = 5.0


def main():
    """Start the bot, watch it, and clear away what is left of it."""
    setup = json.loads(sys.argv[1])
    control, status = setup["control"], setup["status"]
    prctl(SET_CHILD_SUBREAPER, 1)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    wake, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    try:
        bot = contained(setup) if setup["contained"] else plain(setup, (control, status))
    except Exception as error:
        tell(status, f"void {type(error).__name__}: {error}")
        return
    silence()
    tell(status, f"pid {bot}")
    tell(status, watch(setup, bot, control, wake))
    kill_all(bot)


def plain(setup, fds):
    """Start the bot in a session of its own, under limits."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        limit(setup)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        for fd in fds:
            os.close(fd)
        os.execvpe(setup["command"][0], setup["command"], setup["environment"])
    except Exception as error:
        os.write(2, f"cannot run {setup['command'][0]}: {error}\n".encode())
    os._exit(127)


def contained(setup):
    """Start the bot inside a sandbox, of which this process is the supervisor."""
    global sandbox, process  # they end the bot when they go
    sys.path.extend(setup["path"])
    from sandlock import Sandbox

    limit(setup)
    for fd in (setup["control"], setup["status"]):
        os.set_inheritable(fd, False)
    sandbox = Sandbox(
        fs_readable=setup["readable"], fs_writable=setup["writable"], cwd=setup["folder"], clean_env=True,
        env=setup["environment"], max_processes=setup["processes"], no_coredump=True,
    )  # fmt: skip
    process = sandbox.popen(setup["command"])
    return process.pid


def limit(setup):
    """Set the limits that a process and its children inherit."""
    for name, most in setup["limits"].items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def watch(setup, bot, control, wake):
    """Wait until the bot ends, holds too much, or is to be ended; return what happened."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wake, select.POLLIN)
    while True:
        for fd, _ in poll.poll(PERIOD_MS):
            if fd == control:
                return "closed"
            os.read(wake, 4096)
        if (ending := reap(bot)) is not None:
            return ending
        tree = descendants()
        if bot not in tree:  # a sandbox has taken note of its end before us
            return "exit 0"
        if len(tree) > setup["processes"]:
            return f"processes {len(tree)}"
        held = sum(resident(pid) for pid in tree)
        if held > setup["memory"]:
            return f"memory {held}"


def reap(bot):
    """Take note of every child that has ended; return how the bot did, or None."""
    ending = None
    while True:
        try:
            pid, state = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ending
        if pid == 0:
            return ending
        if pid == bot:
            ending = f"signal {os.WTERMSIG(state)}" if os.WIFSIGNALED(state) else f"exit {os.WEXITSTATUS(state)}"


def kill_all(bot):
    """Kill the bot and everything that it has started, until nothing is left."""
    deadline = time.monotonic() + KILLING_S
    with contextlib.suppress(OSError):
        os.killpg(bot, signal.SIGKILL)
    while (tree := descendants()) and time.monotonic() < deadline:
        for pid in tree:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        reap(bot)
        time.sleep(0.001)


def descendants():
    """Return the ids of all processes below this one, but for those that have ended."""
    found, waiting = [], [os.getpid()]
    while waiting:
        pid = waiting.pop()
        for child in children(pid):
            found.append(child)
            waiting.append(child)
    return found


def children(pid):
    """Return the children of all threads of a process."""
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                found += [int(word) for word in file.read().split()]
    except OSError:  # it has ended meanwhile
        pass
    return found


def resident(pid):
    """Return the bytes of memory that a process holds."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            _, pages, shared, *_ = map(int, file.read().split())
    except (OSError, ValueError):
        return 0
    return (pages - shared) * PAGE


def silence():
    """Let go of the bot's pipes: their other ends must see when the bot closes them."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)


def tell(status, line):
    """Write a line to the referee, who may have gone."""
    with contextlib.suppress(OSError):
        os.write(status, f"{line}\n".encode())


def prctl(option, value):
    """Call prctl."""
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
