import assert from "node:assert/strict";
import { Redactor } from "../../src/redact/redactor.ts";

const redactor = new Redactor();

Deno.test("redacting takes time in proportion to the length of the text, even of hostile text", () => {
  const hostile: Record<string, (n: number) => string> = {
    "a query without =": (n) => "/?" + "a".repeat(n),
    "tokens that do not end": (n) => `/?q=${"eyJaaaaaa".repeat(n / 9)}`,
    "tokens without parts": (n) => `{"a":"${"eyJaaaaaa.".repeat(n / 10)}"}`,
    "quotes that do not end": (n) => `{"password":${'"\\'.repeat(n / 2)}`,
    "names without values": (n) => "password:".repeat(n / 9),
    "names with open quotes": (n) => 'password="'.repeat(n / 10),
    "names with escaped quotes": (n) => '{"a":"' + 'token=\\"x'.repeat(n / 9),
    "spaces": (n) => `password${" ".repeat(n)}`,
    "digits": (n) => `{"a":"${"4 ".repeat(n / 2)}"}`,
    "open tags": (n) => '<a b="'.repeat(n / 6),
    "tags without an end": (n) => "<a ".repeat(n / 3),
    "nested secret elements": (n) => "<password>".repeat(n / 10),
    "open comments": (n) => "<!--".repeat(n / 4),
    "nested objects": (n) => '{"name":"password","value":'.repeat(n / 27),
    "nested arrays": (n) => "[".repeat(n),
    "nested URLs": (n) => "/?u=" + "http://a?u=".repeat(n / 11),
    "nested fragments": (n) => "/" + "#/a".repeat(n / 3),
    "URLs in text": (n) => `{"a":"${"a://".repeat(n / 4)}"}`,
    "keys in PEM": (n) => `{"a":"${"-----BEGIN PRIVATE KEY-----".repeat(n / 27)}"}`,
    "segments": (n) => "/reset/a1".repeat(n / 9),
    "one long segment": (n) => "/" + "aB1".repeat(n / 3),
    "pairs in lists": (n) => '[["password",'.repeat(n / 13),
    "lists of arguments": (n) => '{"args":["password",'.repeat(n / 20),
    "patches": (n) => '{"op":"add","path":"/password","value":'.repeat(n / 39),
    "variables": (n) => `{"variables":{"a":1},"query":"${"token: $a ".repeat(n / 10)}"}`,
    "words before variables": (n) => `{"variables":{},"query":"${"a".repeat(n)}: $a"}`,
    "blocks": (n) => "token: |\n  ".repeat(n / 11),
    "blocks in lists": (n) => "token:\n- ".repeat(n / 9),
    "deeper blocks": (n) =>
      Array.from({ length: Math.sqrt(n) }, (_, i) => `${" ".repeat(i)}token: |\n`).join(""),
    "deeper perhaps": (n) =>
      Array.from({ length: Math.sqrt(n) }, (_, i) => `${" ".repeat(i)}code: |\n`).join(""),
    "empty lines in blocks": (n) => `token: |${"\n".repeat(n)}`,
    "commands": (n) => "curl -u ".repeat(n / 8),
    "options of commands": (n) => `curl -${"u".repeat(n)}`,
    "users of commands": (n) => `curl -u ${"a".repeat(n)}`,
    "columns": (n) => `${"token,".repeat(n / 12)}\n${"a,".repeat(n / 4)}`,
    "rows": (n) => `a,token\n${'x,"\n'.repeat(n / 4)}`,
    "links": (n) => "<".repeat(n / 2) + "<a>,".repeat(n / 8),
    "credentials in a path": (n) => "/a" + "//a:b@c".repeat(n / 7),
    "apostrophes": (n) => "{" + "'\n".repeat(n / 2),
  };
  for (const [what, make] of Object.entries(hostile)) {
    const took = (n: number): number => {
      const text = make(n);
      let best = Infinity;
      for (let round = 0; round < 3; round++) {
        const start = performance.now();
        for (const kind of ["url", "form", "json", "xml", "csv", "text", "value"] as const) {
          redactor[kind](text);
        }
        best = Math.min(best, performance.now() - start);
      }
      return best;
    };
    took(10_000);
    const [short, long] = [took(20_000), took(320_000)];
    // 16 times the text, and room for a machine that does other things too; a square would be 256.
    assert.ok(long < 96 * Math.max(short, 0.5), `${what}: ${short} ms, ${long} ms`);
  }
});
