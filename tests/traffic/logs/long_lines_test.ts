import assert from "node:assert/strict";
import { FORMATS } from "../../../src/traffic/formats/formats.ts";
import { Place, Problems } from "../../../src/traffic/formats/recording.ts";
import { logFormat } from "../../../src/traffic/log_format/log_format.ts";
import { processorTime } from "../../processor_time.ts";
import { readLog } from "./read_log.ts";

const logLine = (target: string) =>
  `192.0.2.1 - - [22/Nov/2026:10:00:00 +0000] "GET ${target} HTTP/1.1" 200 0 "-" "-"\n`;

Deno.test("a log is recognized even if its first line is longer than the text examined", async () => {
  for (const length of [1_000, 70_000, 1_000_000]) {
    const { interactions, warnings } = await readLog(
      logLine(`/books?q=${"a".repeat(length)}`) + logLine("/books").repeat(3),
    );
    assert.equal(interactions.length, 4, String(length));
    assert.deepEqual(warnings, []);
  }
});

Deno.test("a first line that is too long for a log is left out, and the rest is read", async () => {
  const { lines, warnings } = await readLog(
    logLine(`/books?q=${"a".repeat(1 << 21)}`) + logLine("/books").repeat(3),
  );
  assert.deepEqual(lines, Array(3).fill("GET /books 200"));
  assert.deepEqual(warnings, ["access.log: a line of more than 1 MiB is left out (at line 1)."]);
});

Deno.test("a log with a huge first line that could be YAML is refused, not read as one line", () =>
  assert.rejects(
    readLog(logLine(`/books?q=${"a".repeat(1 << 23)}`) + logLine("/books").repeat(3)),
    /not a recording/,
  ));

Deno.test("errors about unknown text don't quote it, because it may have addresses", async () => {
  for (const text of ["192.0.2.1 alice GET /books", "192.0.2.1 - alice [x] /a: b\n  - c: d: e"]) {
    await assert.rejects(readLog(text), (error: Error) => {
      assert.match(error.message, /If it is an access log, say with --log-format/);
      assert.doesNotMatch(error.message, /192|alice/);
      return true;
    });
  }
});

/** Text logs, each with the log format to read it. */
const LOGS: readonly (readonly [file: string, logFormat?: string])[] = [
  ["apache_combined.log"],
  ["apache_vhost_combined.log"],
  ["documented_aws_alb.log"],
  ["documented_cloudfront.log"],
  ["documented_envoy.log"],
  ["documented_iis.log"],
  ["haproxy.log"],
  ["goreplay.gor"],
  ["nginx_combined.log", '$remote_addr - $remote_user [$time_local] "$request" $status'],
  ["apache_combined.log", '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-agent}i"'],
];
const FIXTURES = new URL("../../fixtures/recordings/access-logs/", import.meta.url);
/** With quadratic time, a line takes half a second; with linear time, a few milliseconds. */
const LENGTH = 40_000;
const MOST = 200;

for (const [file, pattern] of LOGS) {
  Deno.test(`a line with a part that repeats thousands of times is read quickly: ${pattern ?? file}`, () => {
    const text = Deno.readTextFileSync(new URL(file, FIXTURES));
    // The first lines may only name the columns.
    const line = text.split("\n").slice(0, 5).reduce((one, other) =>
      other.length > one.length ? other : one
    );
    const formats = pattern === undefined
      ? FORMATS.filter(({ stream }) => stream === "text")
      : [logFormat(pattern)];
    const readers = formats.map((format) => ({ ...format, read: format.begin({}) }));
    const place = new Place("line 1", new Problems(file));
    for (const { 0: token, index } of line.matchAll(/[\w.]+|[^\w.]+/g)) {
      const rest = line.slice(index);
      for (const piece of new Set([token, " ", '"', "\\", "/", "-", "1", "[", rest])) {
        const repeated = piece.repeat(Math.ceil(LENGTH / piece.length));
        for (const end of ["", rest]) {
          const long = line.slice(0, index) + repeated + end;
          for (const { name, recognize, read } of readers) {
            const time = processorTime(() => {
              recognize(long);
              read(long, place);
            }, MOST);
            assert.ok(time < MOST, `${name}: ${JSON.stringify(piece)} at ${index}, ${time} ms`);
          }
        }
      }
    }
  });
}
