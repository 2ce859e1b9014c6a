(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const root = document.documentElement;
  root.classList.add("js");

  // Light or dark: as the system is, unless somebody chose.
  const stored = { get: () => { try { return localStorage.getItem("symcrete-theme"); } catch { return null; } },
                   set: (value) => { try { localStorage.setItem("symcrete-theme", value); } catch { /* a file may not store */ } } };
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = stored.get() || (dark ? "dark" : "light");
  const flip = () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; stored.set(root.dataset.theme); };

  // One view at a time: the overview, or the function that the address names.
  const sections = all("main > section");
  const functions = all("section.function").map((section) => section.id);
  const shown = () => {
    const wanted = location.hash.slice(1).split("-")[0];
    return functions.includes(wanted) ? wanted : functions.length === 1 && wanted !== "overview" ? functions[0] : "overview";
  };
  const show = () => {
    const now = shown();
    for (const section of sections) section.classList.toggle("away", section.id !== now);
    const target = location.hash.includes("-") && document.getElementById(location.hash.slice(1));
    if (target) target.scrollIntoView({ block: "center" }); else window.scrollTo(0, 0);
  };
  window.addEventListener("hashchange", show);
  show();

  // Search.
  const search = document.getElementById("search");
  const rows = all("#functions tbody tr");
  const visible = () => all("#functions tbody tr").filter((row) => !row.hidden);
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    document.querySelector(".none").hidden = visible().length > 0 || rows.length === 0;
  };
  search.addEventListener("input", () => { if (shown() !== "overview") location.hash = "overview"; filter(); });
  for (const link of all("[data-search]")) link.addEventListener("click", () => { search.value = link.dataset.search; filter(); });

  // Sorting by a click on a heading, once more for the other way round.
  const key = (cell) => {
    const text = cell.dataset.sort ?? cell.textContent.trim();
    return text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text.toLowerCase();
  };
  for (const heading of all(".sortable th")) {
    heading.addEventListener("click", () => {
      const table = heading.closest("table"), body = table.tBodies[0], column = heading.cellIndex;
      const numeric = heading.classList.contains("number");
      const before = heading.getAttribute("aria-sort");
      const down = before ? before === "ascending" : numeric;
      for (const other of all("th", table)) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sorted = [...body.rows].sort((one, two) => {
        const a = key(one.cells[column]), b = key(two.cells[column]);
        return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
      });
      body.append(...sorted);
    });
  }

  // Keys.
  let marked = -1;
  const mark = (step) => {
    const list = visible();
    if (!list.length) return;
    marked = Math.max(0, Math.min(list.length - 1, marked + step));
    for (const row of rows) row.classList.toggle("marked", row === list[marked]);
    list[marked].scrollIntoView({ block: "nearest" });
  };
  const move = (step) => {
    if (shown() === "overview") { mark(step); return; }
    const order = all("#functions tbody tr").map((row) => row.dataset.function);
    const next = order[order.indexOf(shown()) + step];
    if (next) location.hash = next;
  };
  const help = document.getElementById("help");
  const actions = {
    j: () => move(1), k: () => move(-1), t: flip, o: () => { location.hash = "overview"; },
    Escape: () => { location.hash = "overview"; },
    Enter: () => { const row = visible()[marked]; if (row && shown() === "overview") location.hash = row.dataset.function; },
    "/": () => { location.hash = "overview"; search.focus(); search.select(); },
    "?": () => help.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.target === search) {
      if (event.key === "Escape" || event.key === "Enter") { search.blur(); marked = -1; mark(1); event.preventDefault(); }
      return;
    }
    if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
  });
  document.getElementById("theme").addEventListener("click", flip);
  document.getElementById("keys").addEventListener("click", () => help.showModal());
  help.addEventListener("click", () => help.close());

  // A line lights up the inputs that execute it, an input the lines that it executes; a click keeps them lit.
  for (const section of all("section.function")) {
    const lines = all(".line", section), inputs = all("tr[data-input]", section);
    const numbers = (line) => line.dataset.inputs.split(" ").filter(Boolean);
    let pinned = null;
    const clear = () => { for (const each of [...lines, ...inputs]) each.classList.remove("lit", "trail", "pinned"); };
    const light = (thing) => {
      clear();
      if (!thing) return;
      if (thing.dataset.input !== undefined) {
        thing.classList.add("lit");
        for (const line of lines) line.classList.toggle("trail", numbers(line).includes(thing.dataset.input));
      } else {
        thing.classList.add("pinned");
        const wanted = numbers(thing);
        for (const row of inputs) row.classList.toggle("lit", wanted.includes(row.dataset.input));
      }
    };
    const calls = inputs.map((row) => row.cells[1].innerText.trim() + " → " + row.cells[2].innerText.trim());
    for (const line of lines) if (line.dataset.inputs)
      line.title = numbers(line).slice(0, 8).map((n) => calls[n] ?? "").join("\n") + (numbers(line).length > 8 ? "\n…" : "");
    for (const thing of [...lines.filter((line) => line.dataset.inputs), ...inputs]) {
      thing.addEventListener("mouseenter", () => { if (!pinned) light(thing); });
      thing.addEventListener("mouseleave", () => { if (!pinned) clear(); });
      thing.addEventListener("click", () => { pinned = pinned === thing ? null : thing; light(pinned); });
    }
  }
})();
