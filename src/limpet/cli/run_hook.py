"""The program that a host starts: prepare the interpreter, then run the hook program of `hook.py`.

The host starts it by path, with the options `-I -S`. Python compiles this file anew at each start, so it is short.
"""

import sys

if __name__ == "__main__":
    # The package is above this file. `os` takes as long to load as the handover, so paths are cut by hand.
    _package = __file__.replace("\\", "/").rpartition("/cli/")[0]
    sys.path.append(_package.rpartition("/")[0])
    from limpet.hooks.handover import hand_over_or_read

    _given = hand_over_or_read(sys.argv[1:])
    import gc
    import os

    # The program ends before there is much garbage to collect; looking for garbage costs a twentieth of its time.
    gc.disable()
    _bin = os.path.dirname(sys.executable)
    _version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    # The dependencies are beside the package, or where Python keeps them.
    sys.path += [
        os.path.join(os.path.dirname(_bin), "lib", _version, "site-packages"),
        os.path.join(_bin, "Lib", "site-packages"),
        os.path.join(os.path.dirname(_bin), "Lib", "site-packages"),
    ]
    from limpet.lean.bundle import use_bundle

    use_bundle()
    from limpet.cli.hook import main

    main(sys.argv[1:], _given)
    # Exit without the interpreter's clean-up, to save its time.
    os._exit(0)
