"""Choose the folder for what a verb writes about sessions: in the repository, or in Limpet's home."""

from __future__ import annotations

import os

from limpet.insight.folder import AGENT_FOLDER, Folder, open_private_folder, open_project_folder
from limpet.runtime import Runtime
from limpet.workspace.files import canonical_path


def find_root(runtime: Runtime) -> str | None:
    """Return the folder of the project; None if nothing may be written there.

    Nothing is written to the user's home folder, where agents keep their own files, or for a project that is given by
    name, because its folder is not this one.
    """
    root = runtime.where().root
    return None if root is None or root == canonical_path(os.path.expanduser("~")) else root


def name_folder(runtime: Runtime, name: str, *, every_project: bool = False) -> str:
    """Return the path of a folder, which need not exist: `.claude/<name>` of the project, or `<name>` in the home."""
    root = None if every_project else find_root(runtime)
    if root is not None:
        return os.path.join(root, AGENT_FOLDER, name)
    project = runtime.project
    parts = () if every_project or project is None else (project.id,)
    return os.path.join(runtime.settings.home, name, *parts)


def open_folder(runtime: Runtime, name: str, *, every_project: bool = False) -> Folder:
    """Return the folder, which is made on first use."""
    root = None if every_project else find_root(runtime)
    if root is not None:
        return open_project_folder(root, name)
    return open_private_folder(name_folder(runtime, name, every_project=every_project))
