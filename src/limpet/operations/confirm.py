"""Confirm memories, a device, or a folder.

A person who confirms a memory vouches for it. To confirm a device is to accept the changes that another machine wrote.
To confirm a folder is to accept its project, the agent in its AGENT.md, and the memories in its shared files.
"""

from __future__ import annotations

from limpet.care.confirmation import confirm
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS, CODE, IDS, SOURCE, YES

VERB = Verb(
    run=confirm,
    params=(
        IDS,
        SOURCE,
        Param(
            name="project",
            help="Accept this folder as the project it claims to be, the agent of its AGENT.md, and its shared files.",
            kind="flag",
        ),
        Param(name="device", help="Accept what another machine has written to its folder of the journal."),
        YES,
        CODE,
        ALL_PROJECTS,
    ),
    details=(
        "A confirmed memory counts as your own word: trust and confidence rise, and earlier feedback against it is "
        "taken back. An imported one also gets the kind, the impact and the region that its file claims; --source "
        "origin:import lists all imported memories that wait, and asks once. In a folder that claims to be a known "
        "project but has none of its recorded commits, no memory is shown until you confirm the folder; check first "
        "where it came from. Memories from the shared files of a project are listed before you confirm them, each "
        "once, as are your memories that the files change or delete; to keep one of these as it is, confirm it by its "
        "id. Changes of a device that this home does not know are not used until you accept the device. Only a person "
        "can confirm."
    ),
    examples=(
        "limpet confirm mem_01jz4",
        "limpet confirm --source origin:import",
        "limpet confirm --project",
        "limpet confirm --device d813cd19e8558",
    ),
)
