"""Functions whose branches depend on what is inside of an answer, a table or a path."""

from tests.state.case import Case

ANSWERS = [
    Case(
        0,
        "JSON that a server answers",
        """
        import requests

        def f() -> str:
            answer = requests.get("http://shop.example/state").json()
            if answer["state"] == "open":
                return "open"
            if answer["count"] > 10:
                return "many"
            return "closed"
        """,
    ),
    Case(
        0,
        "JSON that a process writes",
        """
        import json
        import subprocess

        def f() -> str:
            out = subprocess.run(["pods"], capture_output=True, text=True)
            if out.returncode != 0:
                return "failed"
            data = json.loads(out.stdout)
            for item in data["items"]:
                if item["status"]["phase"] == "Running":
                    return "running"
            return "waiting"
        """,
    ),
    Case(
        0,
        "row that a statement asks for",
        """
        import sqlite3

        def f(user: int) -> str:
            db = sqlite3.connect("shop.db")
            row = db.execute("SELECT name, age FROM user WHERE id = ?", (user,)).fetchone()
            if row is None:
                return "unknown"
            if row[1] > 17:
                return "adult"
            return "child"
        """,
    ),
    Case(
        0,
        "rows that a statement counts",
        """
        import sqlite3

        def f() -> int:
            cursor = sqlite3.connect("shop.db").cursor()
            cursor.execute("select count(*) from orders where state = 'paid' and total >= 100")
            (count,) = cursor.fetchone()
            if count:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "files above the current folder, and behind a detour",
        """
        import os
        from pathlib import Path

        def f() -> str:
            if (Path("..") / "shop.conf").is_file():
                return "above"
            try:
                with open(os.path.join("data", "..", "shop.conf")) as file:
                    return "debug" if file.readline() == "debug\\n" else "plain"
            except FileNotFoundError:
                return "none"
        """,
    ),
    Case(
        0,
        "files and folders that may not be read or written",
        """
        import os
        from pathlib import Path

        def f(write: bool) -> str:
            if write:
                try:
                    Path("out.txt").write_text("x")
                except PermissionError:
                    return "read-only"
                return "written"
            try:
                names = os.listdir("/srv/data")
                with open("shop.conf") as file:
                    return f"{len(names)} {len(file.read())}"
            except PermissionError as error:
                return str(error.filename)
            except FileNotFoundError:
                return "missing"
        """,
    ),
    Case(
        0,
        "asynchronous generator that is sent and thrown something",
        """
        async def f():
            try:
                got = yield 0
                if got == 7:
                    yield "seven"
                else:
                    yield "other"
            except ValueError:
                yield "value"
        """,
    ),
    Case(
        0,
        "shared memory and semaphores made at import",
        """
        from multiprocessing import Queue, Semaphore, Value
        from multiprocessing.shared_memory import SharedMemory

        SLOTS = Semaphore(2)
        TOTAL = Value("i", 3)
        QUEUE = Queue()
        MEMORY = SharedMemory(create=True, size=16)
        MEMORY.unlink()

        def f(n: int) -> int:
            with SLOTS:
                if n > 3:
                    return TOTAL.value
                return MEMORY.size
        """,
    ),
]
