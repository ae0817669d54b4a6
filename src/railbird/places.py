"""Where files live: caches and the default store, in the platform's user folders; and whether files can be written.

`RAILBIRD_HOME` moves all of them below one folder. Everything under `cache_folder()` is derived and may be
deleted at any time: it is rebuilt when it is needed again.
"""

import errno
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from secrets import token_hex
from stat import S_ISVTX, S_IWGRP, S_IWOTH
from tempfile import TemporaryFile
from typing import IO, Any

import platformdirs

_PATH = re.compile(r"""(?:(?<![\w./:])|(?<=sqlite:///))/(?:[^\s/'"]+/)*([^\s/'":,;]+)""")
_NEXT_URL = r"""(?:[,:][\w-]+=|['"])[a-z][a-z0-9+]*://"""
"""Where another URL begins in the same word: as a parameter, or in quotes."""
_PASSWORD = re.compile(
    rf"""
    ((?<!http)(?<!https)(?<!ray)://[^\s:/'"]*:)                # up to the user's name; or a host,
    (?!\d+(?:(?!{_NEXT_URL})[^\s@])*(?:{_NEXT_URL}|\s|$))      # which a port follows, and no @
    (?: (?:(?!{_NEXT_URL})\S)*(?=@)                            # people forget to quote @, so up to the last one,
      | [^@\n]*(?=@)                                           # or beyond spaces and what looks like another URL,
      | \S* )                                                  # or all that a truncated URL has
    """,
    re.VERBOSE,
)
"""The password of a URL with everything that may belong to it: too much is hidden rather than too little."""
_PASSWORD_OPTION = re.compile(
    rf"""([?&](?!passfile)(?:ssl)?(?:pass|pw)\w*=)(?:(?!{_NEXT_URL}|['")\]]?[,;:.]?(?:\s|$))[^&\s])*""",
    re.IGNORECASE,
)
_PIECE = 1 << 20
_OWNER_ONLY = 0o600
_OWNER_ONLY_FOLDER = 0o700
_NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
"""Error codes of file systems that cannot sync folders."""


class OutputError(ValueError):
    """A file or folder that cannot be written."""


class OutputExists(OutputError):
    """A file that would be overwritten."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} exists already")


def require_output(path: Path, *, force: bool = False, inputs: Iterable[Path] = ()) -> None:
    """Refuse a file that cannot be written, or that exists unless `force` is given; called before long work begins.

    `inputs` are the files that the work reads.
    """
    if path == Path("-"):
        raise OutputError("- stands for standard output, which is not possible here: name a file")
    if path.is_dir():
        raise OutputError(f"{path} is a folder, but a file is to be written")
    if not path.parent.is_dir():
        raise OutputError(f"{path} cannot be written: {path.parent} is not a folder")
    if is_stream(path):
        return
    if any(path.resolve() == other.resolve() for other in inputs):
        raise OutputError(f"{path} is read and cannot be written at the same time")
    _require_writable(path, path.parent)
    if path.exists() and not force:
        raise OutputExists(path)


def require_ending(path: Path, *endings: str) -> None:
    """Refuse a file whose name has none of these endings."""
    if path.suffix not in endings:
        raise OutputError(f"{path} must end in {' or '.join(endings)}")


def require_output_folder(folder: Path) -> None:
    """Refuse a folder that neither takes new files nor can be created; called before long work begins."""
    nearest = next(each for each in (folder, *folder.parents) if each.exists())
    if not nearest.is_dir():
        raise OutputError(f"{nearest} is a file, but a folder is expected")
    _require_writable(folder, nearest)


def _require_writable(path: Path, folder: Path) -> None:
    """Refuse a path if no file can be created in the folder: only trying tells, also for the administrator."""
    try:
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from None


def require_home() -> None:
    """Refuse a value of `RAILBIRD_HOME` that is not a folder for new files and cannot become one."""
    home = os.environ.get("RAILBIRD_HOME")
    if home:
        try:
            require_output_folder(Path(home))
        except OutputError as error:
            raise OutputError(f"RAILBIRD_HOME: {error}") from None


def cache_folder() -> Path:
    """The folder for everything that can be rebuilt: lookup tables and compiled kernels."""
    home = os.environ.get("RAILBIRD_HOME")
    return Path(home) / "cache" if home else Path(platformdirs.user_cache_dir("railbird", appauthor=False))


def data_folder() -> Path:
    """The folder for data that cannot be rebuilt: the default store of hands and experiences."""
    home = os.environ.get("RAILBIRD_HOME")
    return Path(home) / "data" if home else Path(platformdirs.user_data_dir("railbird", appauthor=False))


def private_folder(path: Path) -> Path | None:
    """A folder that no other user can write to, created if it does not exist; None if there is no such folder.

    It is meant for executable files. Links are resolved, so that the folder checked is the folder used. As with `ssh`
    keys, all parent folders are checked too: a user who can rename one of them could replace it.
    """
    try:
        _make_private(path)
        found = path.resolve()
        is_private = not _others_write(found) and not any(map(_others_rename, found.parents))
    except OSError:
        return None
    return found if is_private and os.access(found, os.W_OK) else None


def _make_private(folder: Path) -> None:
    if not folder.is_dir():
        _make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _others_write(folder: Path) -> bool:
    """Whether users other than this one and the administrator can create files in a folder."""
    if os.name != "posix":
        return False
    found, user = folder.stat(), os.getuid()
    # Some systems give every user a private group with the same id and let it write to all of the user's files.
    others = S_IWOTH if found.st_gid == user else S_IWOTH | S_IWGRP
    return found.st_uid not in (0, user) or bool(found.st_mode & others)


def _others_rename(folder: Path) -> bool:
    """Whether other users can rename entries of a folder; in a sticky one, such as /tmp, only their owners can."""
    found = folder.stat()
    is_sticky = found.st_uid == 0 and found.st_mode & S_ISVTX
    return _others_write(folder) and not is_sticky


def make_private_file(path: Path) -> None:
    """Create an empty file that only its owner can read; an existing one keeps its permissions.

    SQLite treats an empty file as an empty database, whose journals get the same permissions.
    """
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, _OWNER_ONLY))


def make_private_folder(path: Path) -> None:
    """Create a folder that only its owner can read, and its missing parents; an existing one stays as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=_OWNER_ONLY_FOLDER, exist_ok=True)


def without_folders(sentence: str) -> str:
    """A message for a remote client: file names without their folders.

    >>> without_folders("'/srv/cards/hands.db' cannot be read; blinds 5/10, see http://localhost/play")
    "'hands.db' cannot be read; blinds 5/10, see http://localhost/play"
    """
    return _PATH.sub(r"\1", sentence)


def without_passwords(text: str) -> str:
    """A text in which the passwords of URLs are replaced by asterisks.

    >>> without_passwords("casey:store=postgresql://ann:secret@localhost/hands and postgresql://h/d?password=secret")
    'casey:store=postgresql://ann:***@localhost/hands and postgresql://h/d?password=***'
    """
    return _PASSWORD_OPTION.sub(r"\1***", _PASSWORD.sub(r"\1***", text))


def read_up_to(path: Path, most: int) -> bytes:
    """The content of a file; if it is longer than `most` bytes, at least one byte more than that.

    The file is read in chunks: a single read of `most` bytes would allocate all of them, however short the file is,
    and a device may never end.
    """
    pieces, length = [], 0
    with path.open("rb") as file:
        while length <= most and (piece := file.read(_PIECE)):
            pieces.append(piece)
            length += len(piece)
    return b"".join(pieces)


def write_whole(path: Path, write: Callable[[IO[bytes]], object], *, make_folder: bool = True) -> None:
    """Write a file atomically: readers find either the old content or all of the new, even after a power failure.

    On failure, no temporary file is left behind; an `OSError` names the target file. A stream (`is_stream`) is
    written to directly.
    """
    try:
        if is_stream(path):
            with path.open("ab") as stream:
                write(stream)
            return
        if make_folder:
            _make_folder(path.parent)
        temporary = path.with_name(f"{path.name}{token_hex(4)}.part")
        try:
            with temporary.open(
                "xb"
            ) as file:  # with the permissions of any new file, unlike those of `tempfile`
                write(file)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            # After the `with`: a full disk may reject the last bytes only when the file is closed.
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def is_stream(path: Path) -> bool:
    """Whether a path is a device, a pipe or an open file, such as /dev/stdout, which must not be replaced by a file."""
    if path.is_symlink() and path.readlink().is_relative_to("/proc"):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


def make_last(file: IO[Any], path: Path) -> None:
    """Flush an open file and its directory entry to disk, so that it survives a power failure."""
    file.flush()
    os.fsync(file.fileno())
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Flush a folder to disk: without its directory entry, a new file is lost in a power failure."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:
        return  # A folder may be writable but not readable.
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(descriptor)


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)
