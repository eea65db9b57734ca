import assert from "node:assert/strict";
import process from "node:process";
import { redactInteraction } from "../../src/redact/redact_request.ts";
import { Redactor } from "../../src/redact/redactor.ts";

const redactor = new Redactor();

Deno.test("masking takes linear time, even for hostile text", () => {
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
    "pairs without values": (n) => "name: token\n value: ".repeat(n / 20),
    "pairs far apart": (n) => `value:${" ".repeat(n / 2)}name: token\n${" ".repeat(n / 2)}value:`,
    "commands": (n) => "curl -u ".repeat(n / 8),
    "options of commands": (n) => `curl -${"u".repeat(n)}`,
    "users of commands": (n) => `curl -u ${"a".repeat(n)}`,
    "passwords in sentences": (n) => "password is ".repeat(n / 12),
    "words of .netrc": (n) => "machine ".repeat(n / 8),
    "machines of .netrc": (n) => "machine a login ".repeat(n / 16) + " password",
    "columns": (n) => `${"token,".repeat(n / 12)}\n${"a,".repeat(n / 4)}`,
    "rows": (n) => `a,token\n${'x,"\n'.repeat(n / 4)}`,
    "links": (n) => "<".repeat(n / 2) + "<a>,".repeat(n / 8),
    "credentials in a path": (n) => "/a" + "//a:b@c".repeat(n / 7),
    "apostrophes": (n) => "{" + "'\n".repeat(n / 2),
  };
  for (const [what, make] of Object.entries(hostile)) {
    const redact = (text: string): void => {
      for (const kind of ["url", "form", "json", "xml", "csv", "text", "value"] as const) {
        redactor[kind](text);
      }
    };
    assertProportion(what, make, redact);
  }
});

Deno.test("masking known secrets takes linear time, even if they are repeated", () => {
  const hostile: Record<string, (n: number) => string> = {
    "many secrets": (n) =>
      JSON.stringify(Array.from({ length: n / 30 }, (_, i) => ({ token: `odd-${i}-secret` }))),
    "one secret, very often": (n) =>
      `{"token":"odd-1-secret","a":"${"odd-1-secret".repeat(n / 12)}"}`,
    "escapes": (n) => `{"token":"%%%%%%%%%1","a":"${"%25".repeat(n / 3)}"}`,
    "backslashes": (n) => `{"token":"uuuuuuuuu1","a":"${"\\\\".repeat(n / 2)}"}`,
    "references": (n) => `{"token":"&&&&&&&&&1","a":"${"&amp;".repeat(n / 5)}"}`,
    "spaces behind quotes": (n) => `{"token":"words words","a":"words words"${" ".repeat(n)}:1}`,
    "beginnings": (n) => `{"token":"${"a".repeat(200)}1","a":"${"a".repeat(n)}"}`,
    "logins in text": (n) => `{"a":"${"a:b ".repeat(n / 4)}@","b":"${"://a:b ".repeat(n / 7)}"}`,
    "logins in a URL": (n) => `{"a":"http://a:${"/@".repeat(n / 2)}"}`,
    "defaults of GraphQL": (n) => `{"query":"${"$pin: A = ".repeat(n / 10)}"}`,
    "elements in text": (n) => `{"a":"a${"<token>a</".repeat(n / 10)}"}`,
    "encoded in each other": (n) => `{"a":"${"%2525257B".repeat(n / 9)}"}`,
    "parts in each other": (n) => "--b\r\nContent-Type: multipart/mixed\r\n\r\n".repeat(n / 40),
  };
  for (const [what, make] of Object.entries(hostile)) {
    const redact = (body: string): unknown =>
      redactInteraction({
        request: {
          method: "POST",
          url: "/",
          headers: { "Content-Type": "application/json" },
          body,
        },
        response: { status_code: 200, body },
      });
    assertProportion(what, make, redact);
  }
});

const SHORT = 8_000;
const TIMES = 16;
/** A thread's clock advances in steps of 10 ms. */
const STEPS = 20;

/** Milliseconds of processor time of this thread, independent of other load. */
function spent(work: () => void): number {
  const before = threadTime();
  work();
  return threadTime() - before;
}

/** Some versions of the types of Node.js don't have it. */
interface ThreadClock {
  threadCpuUsage(): { readonly user: number; readonly system: number };
}

function threadTime(): number {
  const { user, system } = (process as unknown as ThreadClock).threadCpuUsage();
  return (user + system) / 1_000;
}

function assertProportion(
  what: string,
  make: (length: number) => string,
  redact: (text: string) => unknown,
): void {
  const [short, long] = [make(SHORT), make(SHORT * TIMES)];
  redact(short);
  // The same number of characters both times: linear work takes the same time, quadratic work 16 times as long.
  const parts = () => spent(() => Array.from({ length: TIMES }, () => redact(short)));
  const whole = () => spent(() => redact(long));
  const first = [parts(), whole()] as const;
  if (isInProportion(...first)) return;
  const again = [parts(), whole()] as const;
  assert.ok(isInProportion(...again), `${what}: ${first} ms, ${again} ms`);
}

function isInProportion(parts: number, whole: number): boolean {
  return whole < 6 * Math.max(parts, STEPS);
}
