"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Tables sort by the column whose head is pressed; rows that state nothing there stay last.
  const NUMBER = /^[<>≤≥~≈$€£ ]*([-−+]?[\d,]*\.?\d+)/;
  const DATE = /^\d{4}(-\d\d){0,2}$/;
  const read = (row, column) => row.cells[column].textContent.trim();
  const isStated = (text) => text !== "" && text !== document.documentElement.dataset.notStated;
  const toNumber = (text) => Number((NUMBER.exec(text.replace(/^\[|^[\d.]+% CI:? /, "")) || [, "NaN"])[1].replace(/,/g, "").replace("−", "-"));

  function compareBy(texts) {
    const stated = texts.filter(isStated);
    if (!stated.every((text) => DATE.test(text)) && stated.every((text) => !Number.isNaN(toNumber(text)))) {
      return (one, other) => toNumber(one) - toNumber(other);
    }
    return new Intl.Collator("en", { numeric: true }).compare;
  }

  function sortRows(head, column) {
    const body = head.closest("table").tBodies[0];
    const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    const rows = [...body.rows].map((row) => ({ row, text: read(row, column) }));
    const compare = compareBy(rows.map(({ text }) => text));
    const sign = direction === "ascending" ? 1 : -1;
    rows.sort((one, other) =>
      isStated(other.text) - isStated(one.text) || (isStated(one.text) ? sign * compare(one.text, other.text) : 0));
    body.append(...rows.map(({ row }) => row));
    all("th", head.parentElement).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", direction);
  }

  function addSorting(table) {
    if (table.tBodies[0].rows.length < 2 || table.tHead.rows[0].cells.length < 3) return;
    all("thead th", table).forEach((head) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortRows(head, head.cellIndex));
      head.append(button);
    });
  }

  // Statements and references are filtered by the words that their data attributes list.
  function addFilters(form) {
    const statements = all(".statement"), references = all(".references > li");
    const shown = form.querySelector("#shown");
    const choices = all("select", form);
    const matches = (element) => choices.every(
      ({ name, value }) => !value || (element.dataset[name] || "").split(" ").includes(value));
    const filter = (elements) => elements.filter((element) => {
      element.classList.toggle("filtered", !matches(element));
      return !element.closest(".filtered");
    }).length;

    function apply() {
      const question = choices.find(({ name }) => name === "question");
      all(":is(h2, h3)[id^='question-']").forEach((heading) => heading.parentElement.classList.toggle(
        "filtered", Boolean(question?.value) && heading.id !== question.value));
      const counts = {
        statements: filter(statements), all_statements: statements.length,
        references: filter(references), all_references: references.length,
      };
      shown.textContent = shown.dataset.text.replace(/{(\w+)}/g, (_, name) => counts[name]);
    }

    function reset() {
      choices.forEach((choice) => { choice.value = ""; });
      apply();
    }

    choices.forEach((choice) => choice.addEventListener("change", apply));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.querySelector("#reset").addEventListener("click", reset);
    addEventListener("hashchange", () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!target?.closest(".filtered")) return;
      reset();
      target.scrollIntoView();
    });
    form.hidden = false;
    apply();
  }

  // A press on a sentence's mark shows its quote without leaving the place.
  function addDialog(dialog) {
    const content = dialog.querySelector("div");
    dialog.querySelector("button").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || event.target.closest("a[href^='#']")) dialog.close();
    });
    all("a.mark").forEach((mark) => mark.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const quote = document.querySelector(mark.getAttribute("href"));
      content.replaceChildren(...[...quote.childNodes].map((node) => node.cloneNode(true)));
      dialog.showModal();
      dialog.querySelector("button").focus();
      content.querySelector("mark").scrollIntoView({ block: "nearest" });
    }));
  }

  // Escape hides a card until its mark is left.
  function addEscape() {
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") all(".said").forEach((said) => said.classList.add("dismissed"));
    });
    all(".said").forEach((said) => ["mouseleave", "focusout"].forEach(
      (left) => said.addEventListener(left, () => said.classList.remove("dismissed"))));
  }

  // Marks without a quote, such as those of tables, show the reference that they name.
  function addSourceCard(card) {
    function show(event) {
      const link = event.target.closest(".marks a");
      const source = link && document.querySelector(link.getAttribute("href"));
      if (source) {
        const place = link.getBoundingClientRect();
        card.textContent = source.textContent;
        card.hidden = false;
        card.style.top = `${scrollY + place.bottom}px`;
        card.style.left = `${Math.max(0, Math.min(place.left, document.body.clientWidth - card.offsetWidth))}px`;
        link.setAttribute("aria-describedby", card.id);
      } else if (event.target !== card) {
        card.hidden = true;
      }
    }
    addEventListener("mouseover", show);
    addEventListener("focusin", show);
    addEventListener("keydown", (event) => { if (event.key === "Escape") card.hidden = true; });
  }

  all("table").forEach(addSorting);
  all("#filters").forEach(addFilters);
  all("#quote-dialog").forEach(addDialog);
  all("#source-card").forEach(addSourceCard);
  addEscape();
  if (matchMedia("(max-width: 63.99rem)").matches) all(".side details").forEach((part) => { part.open = false; });
})();
