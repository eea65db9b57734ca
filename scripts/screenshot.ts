/**
 * Takes the screenshots in docs/images of the demo's report.
 *
 *     deno run -A --config deno.dev.json scripts/screenshot.ts
 *
 * It uses `/usr/bin/chromium`, or the browser that the variable CHROMIUM names.
 *
 * @module
 */
import { type Browser, chromium } from "playwright-core";
import { print } from "./print.ts";
import { ROOT } from "./source_files.ts";

const FOLDER = "docs/images";
const EXECUTABLE = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";
/** The creation time that the report shows; it is fixed so that pictures don't differ in it. */
const EPOCH = "1795219200";

interface Picture {
  readonly name: string;
  /** The fragment of the address, with its `#`. */
  readonly hash: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme?: "light" | "dark";
  /** The element at the top of the picture (default: the top of the page). */
  readonly top?: string;
}

const PICTURES: readonly Picture[] = [
  { name: "report", hash: "#/", width: 1280, height: 962 },
  {
    name: "report-schema",
    hash: "#/operation/POST:/books?at=k0.5",
    width: 1280,
    height: 760,
    colorScheme: "dark",
  },
  {
    name: "report-source",
    hash: "#/operation/GET:/books",
    width: 1280,
    height: 760,
    top: "h2:text-is('Source')",
  },
  { name: "report-findings", hash: "#/findings", width: 1280, height: 760 },
  { name: "report-operations", hash: "#/operations", width: 1280, height: 760 },
  { name: "report-phone", hash: "#/", width: 390, height: 844 },
];

async function writeReport(path: string): Promise<void> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "cli.ts", "report"],
      ...["examples/bookshop/openapi.yaml", "examples/bookshop/traffic.json", "-o", path],
    ],
    cwd: ROOT,
    env: { SOURCE_DATE_EPOCH: EPOCH },
  }).output();
  if (code !== 0) throw new Error(`The demo fails: ${new TextDecoder().decode(stderr)}`);
}

async function takePicture(browser: Browser, page: string, picture: Picture): Promise<void> {
  const { name, hash, width, height, colorScheme = "light", top } = picture;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: "reduce",
  });
  const tab = await context.newPage();
  await tab.goto(`file://${page}${hash}`);
  await tab.waitForSelector("main#main");
  const spot = new URLSearchParams(hash.split("?")[1]).get("at");
  if (spot !== null) await tab.locator(`[id="${spot}"]:focus`).waitFor();
  if (top !== undefined) {
    const place = tab.locator(top);
    // Just below the page's header, so that the picture shows nothing above the element.
    await place.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 72));
    if (top.includes("Source")) await tab.waitForSelector(".source-line");
  }
  await tab.screenshot({ path: `${ROOT}/${FOLDER}/${name}.png` });
  await context.close();
}

if (import.meta.main) {
  const folder = await Deno.makeTempDir({ prefix: "covtool-screenshot-" });
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox"] });
  try {
    await writeReport(`${folder}/coverage.html`);
    for (const picture of PICTURES) {
      await takePicture(browser, `${folder}/coverage.html`, picture);
      const { size } = await Deno.stat(`${ROOT}/${FOLDER}/${picture.name}.png`);
      print(`${FOLDER}/${picture.name}.png: ${size} bytes`);
    }
  } finally {
    await browser.close();
    await Deno.remove(folder, { recursive: true });
  }
}
