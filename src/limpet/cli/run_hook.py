"""The program that a host starts: prepare the interpreter, then run the hook program of `hook.py`.

It is started by path and with `-I -S`. Python compiles the file that it starts anew each time, so this one is short.
"""

from __future__ import annotations

import gc
import os
import sys

if __name__ == "__main__":
    # The program ends before there is anything worth collecting, and looking for it costs a twentieth of its time.
    gc.disable()
    _package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    _bin = os.path.dirname(sys.executable)
    _version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    # The package lies above this file; its dependencies lie beside the package, or where Python keeps them.
    sys.path += [
        os.path.dirname(_package),
        os.path.join(os.path.dirname(_bin), "lib", _version, "site-packages"),
        os.path.join(_bin, "Lib", "site-packages"),
        os.path.join(os.path.dirname(_bin), "Lib", "site-packages"),
    ]
    from limpet.lean.bundle import use_bundle

    use_bundle()
    from limpet.cli.hook import main

    main(sys.argv[1:])
    # Exit at once: this saves the time of tearing everything down.
    os._exit(0)
