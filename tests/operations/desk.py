"""The former name of `sandbox`, for tests that have not been renamed yet."""

from tests.operations.sandbox import (
    DAY,
    MODEL,
    PROGRAM,
    SECOND,
    USER,
    files_with,
    git_folder,
    worktree,
)
from tests.operations.sandbox import HOST_VARIABLES as MARKS
from tests.operations.sandbox import Sandbox as Desk
from tests.operations.sandbox import isolate_environment as leave_no_trace_of_the_tester

__all__ = [
    "DAY",
    "MARKS",
    "MODEL",
    "PROGRAM",
    "SECOND",
    "USER",
    "Desk",
    "files_with",
    "git_folder",
    "leave_no_trace_of_the_tester",
    "worktree",
]
