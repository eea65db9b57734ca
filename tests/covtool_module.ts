import { bundleProgram } from "../scripts/build.ts";
import { once } from "./once.ts";

/**
 * The module that tests start as covtool where they need a process: TEST_PROGRAM, a bundle that scripts/run_tests.ts
 * makes once, since it starts in half the time; else the sources.
 */
export const COVTOOL_MODULE: string = Deno.env.get("TEST_PROGRAM") ??
  decodeURIComponent(new URL("../cli.ts", import.meta.url).pathname);

/** The program as it is released, in modules that are bundled: those of TEST_PROGRAM, or what this process makes. */
export const bundledProgram: () => Promise<string> = once(async () => {
  if (COVTOOL_MODULE.endsWith(".js")) return COVTOOL_MODULE;
  const folder = await Deno.makeTempDir({ prefix: "covtool-program-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  return await bundleProgram(`${folder}/program`);
});
