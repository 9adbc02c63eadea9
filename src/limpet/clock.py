"""Read the clocks and convert times. No other module reads the time.

Times are UTC datetimes with whole milliseconds, because ids and stored values have this precision. So a time that was
stored and read again equals the original.
"""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime, timedelta

DAY_MS = 86_400_000

_units: tuple[datetime, timedelta] | None = None


def now_ms() -> int:
    """Return the current time in milliseconds since 1970 (UTC)."""
    return time.time_ns() // 1_000_000


def from_ms(ms: int) -> datetime:
    """Return the UTC datetime for a number of milliseconds since 1970."""
    epoch, millisecond = _units or _load_units()
    return epoch + ms * millisecond


def to_ms(moment: datetime) -> int:
    """Return a datetime as whole milliseconds since 1970."""
    epoch, millisecond = _units or _load_units()
    return (moment - epoch) // millisecond


def _load_units() -> tuple[datetime, timedelta]:
    """Return the start of 1970 and the length of a millisecond.

    They are created on first use, because `datetime` is slow to load and a capture hook does not need it.
    """
    from datetime import UTC, datetime, timedelta

    global _units
    _units = (datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1))
    return _units


def utc_day(ms: int) -> str:
    """Return the UTC date of a time in milliseconds, such as "20261115"."""
    # Without `datetime`, which is slow to load.
    return time.strftime("%Y%m%d", time.gmtime(ms // 1000))


def local_day(ms: int) -> int:
    """Return the local date of a time in milliseconds, as the number of days since 1970."""
    try:
        offset = time.localtime(ms // 1000).tm_gmtoff
    except (OverflowError, OSError, ValueError):
        # Outside the years that the operating system knows.
        offset = 0
    return (ms + 1000 * offset) // DAY_MS


def local_midnight(day: int) -> int:
    """Return the time at which a day begins in the local time zone, in milliseconds since 1970."""
    try:
        date = time.gmtime(day * DAY_MS // 1000)
        return int(time.mktime((date.tm_year, date.tm_mon, date.tm_mday, 0, 0, 0, 0, 0, -1))) * 1000
    except (OverflowError, OSError, ValueError):
        return day * DAY_MS


def to_local(moment: datetime) -> datetime:
    """Return a time in the user's time zone.

    The time is returned unchanged if it cannot be converted, as in the years 1 and 9999 or with an invalid TZ variable.
    """
    try:
        return moment.astimezone()
    except (OverflowError, OSError, ValueError):
        return moment


def now() -> datetime:
    """Return the current time as a UTC datetime."""
    return from_ms(now_ms())


def monotonic_ms() -> int:
    """Return the time of a clock that never goes backwards, in milliseconds. Use it to measure durations."""
    return time.monotonic_ns() // 1_000_000


def pause(milliseconds: int) -> None:
    """Sleep for a number of milliseconds."""
    time.sleep(milliseconds / 1000)


def attempts(wait_ms: int, *, every_ms: int = 4) -> Iterator[None]:
    """Yield immediately, and again after each pause of `every_ms` until `wait_ms` milliseconds have passed."""
    deadline = monotonic_ms() + wait_ms
    yield
    while monotonic_ms() < deadline:
        pause(every_ms)
        yield


def format_age(now: datetime, then: datetime) -> str:
    """Return how long `then` was before `now`, in the largest unit, such as "3d"; "now" if less than a minute."""
    seconds = max(0, int((now - then).total_seconds()))
    for unit, size in (("y", 31_536_000), ("d", 86_400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return "now"
