import assert from "node:assert/strict";
import * as esbuild from "esbuild";
import { load } from "js-yaml";
import { chromium } from "playwright-core";
import type { Statistic } from "../../mod.ts";
import { BROWSER_MEASURE, BROWSER_PAGE, BROWSER_WORKER } from "./try_projects.ts";

interface Measured {
  readonly statistic: Statistic;
  readonly page: number;
}

/** The functions that the page's code defines globally. */
interface Page {
  readonly inPage: (given: unknown) => Measured;
  readonly inWorker: (given: unknown) => Promise<Measured>;
}

/**
 * Bundles a page and a worker that use the package, which is installed in the folder, and runs them in Chromium
 * under a Content-Security-Policy that forbids `eval`.
 */
export async function tryBrowser(
  folder: string,
  executable: string,
  expected: Statistic,
): Promise<number> {
  await Deno.writeTextFile(`${folder}/measure.js`, BROWSER_MEASURE);
  await Deno.writeTextFile(`${folder}/page.js`, BROWSER_PAGE);
  await Deno.writeTextFile(`${folder}/worker.js`, BROWSER_WORKER);
  const { warnings, outputFiles } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: ["page.js", "worker.js"],
    outdir: "out",
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  await esbuild.stop();
  assert.deepEqual(warnings, []);
  const scripts = new Map(
    outputFiles.map(({ path, text }) => [path.replace(/^.*[/\\]/, ""), text]),
  );
  const given = {
    description: load(await Deno.readTextFile(`${folder}/openapi.yaml`)),
    recording: JSON.parse(await Deno.readTextFile(`${folder}/traffic.json`)),
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const script = scripts.get(new URL(request.url).pathname.slice(1));
    return script === undefined
      ? new Response('<!DOCTYPE html><script type="module" src="page.js"></script>', {
        headers: {
          "content-type": "text/html",
          "content-security-policy": "default-src 'none'; script-src 'self'; worker-src 'self'",
        },
      })
      : new Response(script, { headers: { "content-type": "text/javascript" } });
  });
  const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${server.addr.port}/`);
    await page.waitForFunction(() => "inWorker" in globalThis);
    const inPage = await page.evaluate(
      (given) => (globalThis as unknown as Page).inPage(given),
      given,
    );
    const inWorker = await page.evaluate(
      (given) => (globalThis as unknown as Page).inWorker(given),
      given,
    );
    assert.deepEqual(inPage.statistic, expected);
    assert.deepEqual(inWorker, inPage);
    assert.ok(inPage.page > 1000);
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
    await server.shutdown();
  }
  return scripts.get("page.js")?.length ?? 0;
}
