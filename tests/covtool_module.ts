/**
 * The module that tests start as covtool where they need a process: TEST_PROGRAM, a bundle that scripts/run_tests.ts
 * makes once, since it starts in half the time; else the sources.
 */
export const COVTOOL_MODULE: string = Deno.env.get("TEST_PROGRAM") ??
  decodeURIComponent(new URL("../cli.ts", import.meta.url).pathname);
