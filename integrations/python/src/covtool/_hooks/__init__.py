"""Patches clients when they are imported, so that they record."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType

from .._recorder import RECORDER

HOOKS = {
    "requests.sessions": "_requests",
    "httpx._client": "_httpx",
    "httpx2._client": "_httpx",
    "django.test.client": "_django",
    "werkzeug.test": "_werkzeug",
    "aiohttp.client": "_aiohttp",
}
"""The module of each client, and the module of this package that patches it."""


def install(name: str | None = None) -> bool:
    """Records the requests of the clients in this process from now on, if ``COVTOOL_TRAFFIC`` names a folder.

    Clients are requests, httpx (with the test clients of Starlette and FastAPI), aiohttp, and the test clients of
    Django, Django REST framework, Flask and Werkzeug. The pytest plugin calls this function; call it yourself if you
    run tests in another way. It does nothing without the variable, or if it is called again.

    :param name: The name of the recorder, for messages.
    :returns: True if requests are recorded.
    """
    if RECORDER.is_active:
        return True
    if not RECORDER.start(name):
        return False
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
        for module_name in HOOKS:
            module = sys.modules.get(module_name)
            if module is not None:
                _put_into(module)
    return True


def _put_into(module: ModuleType) -> None:
    try:
        hook: Callable[[ModuleType], None] = import_module(f".{HOOKS[module.__name__]}", __name__).hook
        hook(module)
    except Exception as error:
        RECORDER.fail(error)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self) -> None:
        self._searching: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in HOOKS or fullname in self._searching:
            return None
        self._searching.add(fullname)
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._searching.discard(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


class _Loader(importlib.abc.Loader):
    def __init__(self, inner: importlib.abc.Loader) -> None:
        self._inner = inner

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # Restores the original loader, as if this one had never been there.
        if module.__spec__ is not None:
            module.__spec__.loader = self._inner
        module.__loader__ = self._inner
        self._inner.exec_module(module)
        _put_into(module)
