/**
 * Makes docs/images/report.png: what a browser shows of the demo's report.
 *
 *     deno run -A scripts/screenshot.ts
 *
 * It takes `/usr/bin/chromium`, or the browser that the variable CHROMIUM names.
 *
 * @module
 */
import { chromium } from "playwright-core";
import { print } from "./print.ts";
import { ROOT } from "./source_files.ts";

const IMAGE = "docs/images/report.png";
const EXECUTABLE = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";
const SIZE = { width: 1280, height: 997 };
/** The report shows when it was made; this keeps it out of the differences between pictures. */
const EPOCH = "1795219200";

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

async function takePicture(page: string, image: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox"] });
  try {
    const context = await browser.newContext({
      viewport: SIZE,
      colorScheme: "light",
      reducedMotion: "reduce",
    });
    const tab = await context.newPage();
    await tab.goto(`file://${page}`);
    await tab.waitForSelector("main#main");
    await tab.screenshot({ path: image });
  } finally {
    await browser.close();
  }
}

if (import.meta.main) {
  const folder = await Deno.makeTempDir({ prefix: "covtool-screenshot-" });
  try {
    await writeReport(`${folder}/coverage.html`);
    await takePicture(`${folder}/coverage.html`, `${ROOT}/${IMAGE}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  print(`${IMAGE}: ${(await Deno.stat(`${ROOT}/${IMAGE}`)).size} bytes`);
}
