import assert from "node:assert/strict";
import { readText } from "../../src/http/decoded.ts";
import {
  ANY_NUMBER,
  ANY_TYPE,
  ARRAY,
  BOOLEAN,
  INTEGER,
  NULL,
  NUMBER,
  STRING,
} from "../../src/values/json_type.ts";

Deno.test("readText() reads JSON numbers where numbers are allowed", () => {
  for (const types of [INTEGER, NUMBER, ANY_NUMBER, INTEGER | STRING]) {
    for (const text of ["0", "10", "-1", "1.5", "1e3", "-0.25E-2"]) {
      assert.equal(readText(text, types), Number(text));
    }
  }
});

Deno.test("readText() reads text that isn't a JSON number as a string", () => {
  for (
    const text of ["", "-", "007", "+5", "1.", ".5", "0x10", "1e", "1_000", " 1", "1\n", "NaN", "١"]
  ) {
    assert.equal(readText(text, ANY_TYPE), text);
  }
});

Deno.test("readText() reads true and false only where they are allowed, and never reads null", () => {
  assert.equal(readText("true", BOOLEAN), true);
  assert.equal(readText("false", BOOLEAN | STRING), false);
  assert.equal(readText("null", NULL | STRING), "null");
  assert.equal(readText("null", ANY_TYPE), "null");
  assert.equal(readText("true", INTEGER), "true");
  assert.equal(readText("null", BOOLEAN), "null");
  assert.equal(readText("True", BOOLEAN), "True");
});

Deno.test("readText() reads a string where no scalar type is named", () => {
  for (const text of ["1", "true", "null"]) {
    assert.equal(readText(text, 0), text);
    assert.equal(readText(text, STRING | ARRAY), text);
  }
});
