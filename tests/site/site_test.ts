// Tests the built manual, opened from disk in a browser.
import assert from "node:assert/strict";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { buildSite, makeSite, sourceLink } from "../../scripts/build_site.ts";
import { apiPage } from "../../scripts/site/api_page.ts";
import { excerptAround, markFound } from "../../scripts/site/mark_found.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";
import { axeProblems } from "../axe_problems.ts";
import { CHROMIUM, needing, NEEDS_CHROMIUM } from "../requirement.ts";
import { inFolder } from "../in_folder.ts";

const PAGES = [
  ...["index.html", "quick-start.html", "commands.html", "reference.html", "semantics.html"],
  "recording/vcrpy.html",
];

let built: Promise<string> | undefined;

/** The folder of the manual, which is built once. */
function siteFolder(): Promise<string> {
  return built ??= (async () => {
    const folder = await Deno.makeTempDir({ prefix: "covtool-site-" });
    await buildSite(ROOT, folder);
    return folder;
  })();
}

Deno.test.afterAll(async () => {
  if (built !== undefined) await Deno.remove(await built, { recursive: true });
});

/** Opens pages of the built manual, and fails on their errors and network requests. */
async function inSite(
  options: BrowserContextOptions,
  look: (open: (path: string) => Promise<Page>) => Promise<void>,
): Promise<void> {
  const folder = await siteFolder();
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    const page = await (await browser.newContext(options)).newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(`file://${folder}/`)) complaints.push(request.url());
    });
    await look(async (path) => {
      await page.goto(`file://${folder}/${path}`);
      return page;
    });
    assert.deepEqual(complaints, []);
  } finally {
    await browser?.close();
  }
}

Deno.test("the reference has no path of the machine that built it, and imports from the package", async () => {
  const folder = `${await siteFolder()}/api`;
  let usages = 0;
  for (const path of await sourceFiles(folder, [".html", ".js"])) {
    const text = await Deno.readTextFile(`${folder}/${path}`);
    for (const place of ["file:/", "file:&#x2F;", ROOT, ROOT.replaceAll("/", "&#x2F;")]) {
      assert.ok(!text.includes(place), `${path} holds ${place}`);
    }
    for (const [, from = ""] of text.matchAll(/\bfrom &quot;([^&]*)&quot;/g)) {
      assert.doesNotMatch(from, /^\.|^@covtool/, path);
    }
    for (const [, from = ""] of text.matchAll(/<h3>Usage<\/h3>[^]*?\bfrom &quot;([^&]*)&quot;/g)) {
      assert.match(from, /^covtool(?:\/[\w-]+)?$/, path);
      usages++;
    }
  }
  assert.ok(usages > 100);
});

Deno.test("pages of the reference link to the repository's sources if it is known", () => {
  const environment: Record<string, string> = {
    GITHUB_SERVER_URL: "https://git.example",
    GITHUB_REPOSITORY: "team/covtool",
    GITHUB_SHA: "0123abc",
  };
  const button = (href: string) => `<a\n  class="sourceButton"\n  href="${href}"><svg></svg></a>`;
  const page = button(
    "file:&#x2F;&#x2F;&#x2F;home&#x2F;me&#x2F;covtool&#x2F;src&#x2F;map&#x2F;hits.ts",
  );
  const link = sourceLink("/home/me/covtool", (name) => environment[name]);
  assert.equal(
    apiPage(page, [], new Map(), link),
    button("https://git.example/team/covtool/blob/0123abc/src/map/hits.ts"),
  );
  assert.equal(apiPage(button("file:///elsewhere/a.ts"), [], new Map(), link), "");
  assert.equal(apiPage(page, [], new Map(), sourceLink("/home/me/covtool", () => undefined)), "");
});

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ ...needing(NEEDS_CHROMIUM, name), sanitizeOps: false, sanitizeResources: false, fn });
}

test("axe finds no problem in the manual in light and dark colours and on a phone, and it fits", async () => {
  await inSite({}, async (open) => {
    for (const path of PAGES) assert.deepEqual(await axeProblems(await open(path)), []);
  });
});

test(
  "the manual can be searched offline and by keyboard, and keeps its colours",
  async () => {
    await inSite({ colorScheme: "light" }, async (open) => {
      const page = await open("recording/vcrpy.html");
      await page.keyboard.press("/");
      await page.keyboard.type("self-signed certificate");
      await page.waitForSelector(".results a");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/(?:troubleshooting|proxy)\.html/);
      await page.getByRole("button", { name: "Dark" }).click();
      assert.equal(await page.evaluate("document.documentElement.dataset.theme"), "dark");
      const next = await open("index.html");
      assert.equal(await next.evaluate("document.documentElement.dataset.theme"), "dark");
      await next.getByRole("searchbox").fill("qqqzzz");
      await next.getByText("No results for").waitFor();
    });
  },
);

test("the manual's search tolerates typing errors, and marks matches", async () => {
  await inSite({}, async (open) => {
    const page = await open("index.html");
    const field = page.getByRole("searchbox");
    for (
      const [typed, mark] of [
        ["tresholds", "thresholds"],
        ["enforcment", "enforcement"],
        ["bsaeline", "baseline"],
        ["postmann colection", "Postman"],
      ] as const
    ) {
      await field.fill("");
      await page.waitForFunction(() => document.querySelector(".results a") === null);
      await field.fill(typed);
      await page.waitForSelector(".results a");
      const marks = await page.locator(".results mark").allInnerTexts();
      assert.ok(
        marks.some((text) => text.toLowerCase() === mark.toLowerCase()),
        `${typed}: ${marks}`,
      );
    }
  });
});

Deno.test("excerptAround() shows the text around the first match", () => {
  const text = `${"before ".repeat(30)}the Threshold that was meant ${"after ".repeat(30)}`;
  const excerpt = excerptAround(text, ["threshold"], 80);
  assert.match(excerpt, /^…before .*the Threshold that was/);
  assert.ok(excerpt.endsWith("…") && excerpt.length <= 82);
  assert.equal(excerptAround("Short.", ["nothing"], 80), "Short.");
  const parts = markFound(excerpt, ["threshold", "that"]).filter(({ isFound }) => isFound);
  assert.deepEqual(parts.map(({ text }) => text), ["Threshold", "that"]);
  assert.deepEqual(markFound("a.b thatched", ["that"]).some(({ isFound }) => isFound), false);
});

Deno.test("the manual has every page of docs/ with navigation in reading order", async () => {
  const folder = await siteFolder();
  const { version } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
  const pages = new Map<string, string>();
  for (const path of await sourceFiles(folder, [".html"])) {
    if (!path.startsWith("api/")) pages.set(path, await Deno.readTextFile(`${folder}/${path}`));
  }
  for (const path of ["index.html", "concepts.html", "recording/index.html", "changelog.html"]) {
    const html = pages.get(path) ?? "";
    assert.match(html, /<aside class="sidebar">/, path);
    assert.match(html, /aria-current="page"/, path);
    assert.ok(html.includes(`>${version}<`));
  }
  assert.match(pages.get("quick-start.html") ?? "", /rel="next" href="concepts\.html"/);
  assert.match(pages.get("recording/vcrpy.html") ?? "", /href="\.\.\/proxy\.html"/);
  assert.doesNotMatch([...pages.values()].join(""), /<!-- /, "comments are for scripts");
});

Deno.test("the reference begins with each entry point's text, and links to all its exports", async () => {
  const folder = await siteFolder();
  const html = await Deno.readTextFile(`${folder}/reference.html`);
  for (const name of ["covtool", "covtoolproxy", "covtoolserver"]) {
    assert.match(html, new RegExp(`<h2 id="${name}">`));
  }
  assert.match(
    html,
    /Everything begins with a <a href="api\/~\/CoverageMap\.html"><code>CoverageMap<\/code>/,
  );
  const links = [...html.matchAll(/href="(api\/[^"]+)"/g)].map(([, path]) => path);
  assert.ok(links.length > 40);
  for (const path of links) assert.ok((await Deno.stat(`${folder}/${path}`)).isFile, path);
});

Deno.test("the manual is not built with a page missing in the navigation or a broken link", () =>
  inFolder({}, async (folder) => {
    await Deno.mkdir(`${folder}/docs`);
    await Deno.writeTextFile(`${folder}/docs/unheard_of.md`, "# Unheard of\n");
    await assert.rejects(
      makeSite(folder, "1"),
      /docs\/unheard_of\.md: is in no part of the manual/,
    );
    await Deno.remove(`${folder}/docs/unheard_of.md`);
    await Deno.writeTextFile(`${folder}/docs/proxy.md`, "# Proxy\n\n[a](ci.md#nowhere)\n");
    await Deno.writeTextFile(`${folder}/docs/ci.md`, "# Servers\n");
    await assert.rejects(
      makeSite(folder, "1"),
      /proxy\.html: ci\.html#nowhere leads to no heading/,
    );
    await Deno.mkdir(`${folder}/examples/shop`, { recursive: true });
    await Deno.writeTextFile(`${folder}/examples/shop/a b.js`, "");
    await Deno.writeTextFile(`${folder}/docs/proxy.md`, "# Proxy\n\n[a](../examples/shop)\n");
    const { texts, copies } = await makeSite(folder, "1");
    assert.match(texts.get("proxy.html") ?? "", /href="files\/examples\/shop\/index\.html"/);
    assert.match(texts.get("files/examples/shop/index.html") ?? "", /href="a%20b\.js"/);
    assert.equal(copies.get("files/examples/shop/a b.js"), "examples/shop/a b.js");
    await Deno.writeTextFile(`${folder}/docs/proxy.md`, "# Proxy\n\n[a](../nothing.txt)\n");
    await assert.rejects(makeSite(folder, "1"), /links to nothing\.txt, which doesn't exist/);
  }));
