import assert from "node:assert/strict";
import { isColored, outputWidth } from "../../src/run/host.ts";

const write = () => Promise.resolve();
const TERMINAL = { isTerminal: true, columns: 132, write };
const PIPE = { isTerminal: false, columns: undefined, write };

Deno.test("by default, only output to a terminal is coloured", () => {
  assert.equal(isColored(undefined, {}, TERMINAL), true);
  assert.equal(isColored(undefined, {}, PIPE), false);
  assert.equal(isColored(undefined, {}, null), false);
  assert.equal(isColored(undefined, { TERM: "dumb" }, TERMINAL), false);
});

Deno.test("NO_COLOR turns colours off unless it is empty, and FORCE_COLOR on unless it is 0 or false", () => {
  assert.equal(isColored(undefined, { NO_COLOR: "1" }, TERMINAL), false);
  assert.equal(isColored(undefined, { NO_COLOR: "" }, TERMINAL), true);
  assert.equal(isColored(undefined, { FORCE_COLOR: "1" }, PIPE), true);
  assert.equal(isColored(undefined, { FORCE_COLOR: "0" }, TERMINAL), false);
  assert.equal(isColored(undefined, { FORCE_COLOR: "False" }, TERMINAL), false);
  assert.equal(isColored(undefined, { FORCE_COLOR: "" }, PIPE), false);
  assert.equal(isColored(undefined, { NO_COLOR: "1", FORCE_COLOR: "1" }, TERMINAL), false);
});

Deno.test("--color and --no-color take precedence over everything else", () => {
  assert.equal(isColored(true, { NO_COLOR: "1" }, PIPE), true);
  assert.equal(isColored(false, { FORCE_COLOR: "1" }, TERMINAL), false);
});

Deno.test("the width is that of the terminal, or COLUMNS, or 80", () => {
  assert.equal(outputWidth({ COLUMNS: "100" }, TERMINAL), 132);
  assert.equal(outputWidth({ COLUMNS: "100" }, PIPE), 100);
  assert.equal(outputWidth({}, PIPE), 80);
  assert.equal(outputWidth({}, null), 80);
  for (const COLUMNS of ["", "0", "-5", "wide", "12.5"]) {
    assert.equal(outputWidth({ COLUMNS }, PIPE), 80);
  }
});
