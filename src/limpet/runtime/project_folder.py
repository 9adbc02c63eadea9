"""Choose the folder for files about sessions: `.claude/<name>` of the project, or a folder in Limpet's home."""

from __future__ import annotations

import os

from limpet.insight.folder import AGENT_FOLDER, Folder, open_private_folder, open_project_folder
from limpet.runtime import Runtime
from limpet.workspace.files import canonical_path


def find_root(runtime: Runtime) -> str | None:
    """Return the root folder of the project, or None if nothing may be written to it.

    Nothing is written to the user's home folder, because agents keep their own files there. If the user chose the
    project by name, its folder is not known.
    """
    root = runtime.where().root
    return None if root is None or root == canonical_path(os.path.expanduser("~")) else root


def locate_folder(runtime: Runtime, name: str, *, every_project: bool = False) -> str:
    """Return the path of the folder for files of one kind, such as `stash`; it need not exist.

    The folder is `.claude/<name>` of the project. For all projects, or if nothing may be written to the project's
    folder, it is in Limpet's home.
    """
    root = None if every_project else find_root(runtime)
    if root is not None:
        return os.path.join(root, AGENT_FOLDER, name)
    project = runtime.project
    parts = () if every_project or project is None else (project.id,)
    return os.path.join(runtime.settings.home, name, *parts)


def open_folder(runtime: Runtime, name: str, *, every_project: bool = False) -> Folder:
    """Return the folder for files of one kind, such as `stash`, and make it if it does not exist."""
    root = None if every_project else find_root(runtime)
    if root is not None:
        return open_project_folder(root, name)
    return open_private_folder(locate_folder(runtime, name, every_project=every_project))
