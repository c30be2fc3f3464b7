// Opens a page in a real browser and prints as JSON what it did: node page.mjs MODULES REQUEST.json
// The page keeps its own policy (no bypass), the network is cut, and every attempt to use it is written down.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, file] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/`)("playwright-core");
const AXE = readFileSync(`${modules}/axe-core/axe.min.js`, "utf8");
const asked = JSON.parse(readFileSync(file, "utf8"));
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

const browser = await chromium.launch({ executablePath: asked.browser, args: FLAGS });
const answer = { console: [], errors: [], requests: [] };

async function opened(page, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const tab = await context.newPage();
  tab.setDefaultTimeout(120_000);
  const own = pathToFileURL(page).href;
  tab.on("console", (message) => answer.console.push(`${message.type()}: ${message.text()}`));
  tab.on("pageerror", (error) => answer.errors.push(String(error)));
  await context.route("**", (route) => {
    const url = route.request().url();
    if (url.split("#")[0] === own) return route.continue();
    answer.requests.push(url);
    return route.abort();
  });
  await tab.goto(own + (options.hash ?? ""));
  return tab;
}

async function axe(tab) {
  await tab.evaluate(AXE);
  const found = await tab.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(" | ")}`);
}

const rows = (tab) => tab.evaluate(() => [...document.querySelectorAll("#targets > tbody")].map((group) => group.rows[0].cells[0].textContent));
const sorted = (tab) => tab.evaluate(() => [...document.querySelectorAll("#targets th[aria-sort]")].map((head) => `${head.textContent} ${head.getAttribute("aria-sort")}`));

const jobs = {
  // Violations in both themes, wide and narrow, with everything folded and unfolded; and whether a phone scrolls sideways.
  async looks({ page, shots }) {
    const found = { violations: [], sideways: [] };
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [1200, 360]) {
        const tab = await opened(page, { colorScheme, viewport: { width, height: 900 } });
        for (const fold of ["folded", "unfolded"]) {
          const name = `${colorScheme} ${width} ${fold}`;
          if (fold === "unfolded") await tab.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
          found.violations.push(...(await axe(tab)).map((one) => `${name}: ${one}`));
          if (await tab.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)) found.sideways.push(name);
          if (shots) await tab.screenshot({ path: `${shots}/${name.replaceAll(" ", "-")}.png`, fullPage: true });
        }
        await tab.context().close();
      }
    }
    const tab = await opened(page, { viewport: { width: 718, height: 1000 } }); // A4 within its margins
    await tab.emulateMedia({ media: "print" });
    if (await tab.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)) found.sideways.push("print");
    if (shots) await tab.screenshot({ path: `${shots}/print.png`, fullPage: true });
    return found;
  },

  // With the keyboard alone: reach the heads of the table one after the other, and press each twice.
  async sorting({ page }) {
    const tab = await opened(page);
    const found = [{ head: "", sorted: await sorted(tab), rows: await rows(tab) }];
    const head = () => tab.evaluate(() => document.activeElement.closest("thead th")?.textContent ?? null);
    await tab.focus("#kind");
    for (await tab.keyboard.press("Tab"); (await head()) !== null; await tab.keyboard.press("Tab")) {
      for (const key of ["Enter", "Space"]) {
        await tab.keyboard.press(key);
        found.push({ head: await head(), sorted: await sorted(tab), rows: await rows(tab) });
      }
    }
    return found;
  },

  async skip({ page }) {
    const tab = await opened(page);
    await tab.keyboard.press("Tab");
    const first = await tab.evaluate(() => [document.activeElement.textContent, document.activeElement.getBoundingClientRect().left >= 0]);
    await tab.keyboard.press("Enter");
    return { first, hash: await tab.evaluate(() => location.hash) };
  },

  async filtering({ page, words, kind }) {
    const tab = await opened(page);
    if (words) {
      const before = await tab.textContent("#said");
      await tab.fill("#q", words);
      await tab.waitForFunction((old) => document.getElementById("said").textContent !== old, before);
    }
    if (kind) await tab.selectOption("#kind", kind);
    return { said: await tab.textContent("#said"), rows: await rows(tab) };
  },

  // Follows the first link of a list to its row, as a reader does, and then comes by a link from elsewhere.
  async following({ page, link }) {
    const tab = await opened(page);
    const focused = () => tab.evaluate(() => [document.activeElement.localName, document.activeElement.closest("tbody")?.id, document.activeElement.closest("details")?.open, document.activeElement.getBoundingClientRect().top < innerHeight]);
    await tab.click(link);
    await tab.waitForFunction(() => document.activeElement.localName === "summary");
    const found = { clicked: await focused(), hash: await tab.evaluate(() => location.hash) };
    const other = await opened(page, { hash: found.hash });
    await other.waitForFunction(() => document.activeElement.localName === "summary");
    found.arrived = await other.evaluate(() => [document.activeElement.localName, document.activeElement.closest("tbody")?.id]);
    return found;
  },

  async bare({ page }) {
    const tab = await opened(page, { javaScriptEnabled: false });
    const seen = async (selector) => tab.locator(selector).evaluateAll((all) => all.filter((one) => one.getClientRects().length > 0).length).catch(() => -1);
    const rowsSeen = await tab.locator("#targets > tbody").count();
    const visible = await tab.locator("#targets > tbody:visible").count();
    return { rows: rowsSeen, visible, tools: await tab.locator(".tools:visible").count(), buttons: await tab.locator("#targets button").count(), seen: await seen("h1") };
  },

  async large({ page }) {
    const start = Date.now();
    const tab = await opened(page);
    const loaded = Date.now() - start;
    const shown = (await rows(tab)).length;
    const times = {};
    for (const name of ["Name", "Score", "Tokens", "Findings"]) {
      const button = tab.locator("#targets thead button", { hasText: name });
      const begin = Date.now();
      await button.click();
      await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      times[name] = Date.now() - begin;
    }
    await tab.click(".more");
    return { loaded, shown, times, more: (await rows(tab)).length, said: await tab.textContent("#said"), elements: await tab.evaluate(() => document.getElementsByTagName("*").length) };
  },

  // The top of a page as a picture, with one row unfolded.
  async picture({ page, path, colorScheme, width, height, unfold }) {
    const tab = await opened(page, { colorScheme, viewport: { width, height } });
    if (unfold) await tab.evaluate((at) => { document.querySelectorAll("#targets details")[at].open = true; }, unfold);
    await tab.screenshot({ path });
    return path;
  },

  // The advance widths of a font, in thousandths of its size; null where the font is not there.
  async widths({ page, font }) {
    const tab = await opened(page);
    return tab.evaluate((name) => {
      const pen = document.createElement("canvas").getContext("2d");
      const of = (family, text) => { pen.font = `1000px ${family}`; return Math.round(pen.measureText(text).width); };
      if (of(`"${name}", monospace`, "mmiill") === of("monospace", "mmiill")) return null;
      return Array.from({ length: 95 }, (_, at) => of(`"${name}"`, String.fromCharCode(32 + at)));
    }, font);
  },
};

answer.results = [];
for (const job of asked.jobs) answer.results.push(await jobs[job.name](job));
await browser.close();
process.stdout.write(JSON.stringify(answer));
