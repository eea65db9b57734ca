import assert from "node:assert/strict";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { ANY_SHELL, assertNoDrafts, ERROR_END, MOUNTING, shellTest } from "./shell.ts";

/** A disk of this many KiB at `disk`; `fill` fills it, and `free` empties it again. */
function mountDisk(size: number): string {
  return `
    mkdir -p disk && mount -t tmpfs -o size=${size}k tmpfs disk || exit 9
    fill() { dd if=/dev/zero of=disk/ballast bs=1k 2>/dev/null; true; }
    free() { rm disk/ballast; }
  `;
}

const FULL = "The disk is full: free some space, or choose a file on another disk\\.";
const COLLECTOR = new URL("../../src/runners/traffic_collector.ts", import.meta.url).href;

/** Responds to every request with more than a kilobyte, so that a few fill a disk. */
function serveLongAnswers(): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => Response.json({ pad: "x".repeat(1500) }),
  );
}

shellTest(
  "if the disk is full, every output stays unchanged, and a message gives the reason",
  MOUNTING,
  async (run) => {
    const { out, err } = await run(`${mountDisk(200)}
        covtool report openapi.yaml traffic.json --format hits=one.hits 2>/dev/null
        for name in html json text hits new/deep/lcov; do
          case $name in new/*) ;; *) echo old > disk/r.$name ;; esac
        done
        fill
        sentence report openapi.yaml traffic.json --format html=disk/r.html
        sentence report openapi.yaml traffic.json --format json=disk/r.json
        sentence report openapi.yaml traffic.json --format text=disk/r.text --format hits=ok.hits
        sentence report openapi.yaml traffic.json --format hits=disk/r.hits
        sentence report openapi.yaml traffic.json --format lcov=disk/new/deep/lcov
        sentence convert traffic.json -o disk/traffic.jsonl
        sentence merge openapi.yaml one.hits -o disk/sum.hits
        echo "files: $(cat disk/r.* | tr '\\n' ' ')"
        find disk -type f | grep -v ballast | sort
      `);
    assert.equal(err, "");
    const lines = out.split("\n");
    const names = ["r.html", "r.json", "r.text", "r.hits", "new/deep/lcov"];
    for (const name of [...names, "traffic.jsonl", "sum.hits"]) {
      const sentence = `^1 Error: Cannot write disk/${name}: ${FULL}${ERROR_END}$`;
      assert.match(lines.shift() ?? "", new RegExp(sentence));
    }
    assert.deepEqual(lines, [
      "files: old old old old ",
      ...["hits", "html", "json", "text"].map((name) => `disk/r.${name}`),
      "",
    ]);
  },
);

shellTest("covtool init leaves no partial config file on a full disk", MOUNTING, async (run) => {
  const { out } = await run(`${mountDisk(64)}
        fill; cd disk
        sentence init
        ls -A
        cd ..; free; cd disk
        sentence init; ls -A
      `.replaceAll("sentence init", "covtool init 2>&1 | tr '\\n' '|'; echo"));
  const [full, listed, written] = out.split("\n");
  assert.match(
    full ?? "",
    new RegExp(`^Error: Cannot write covtool\\.yaml: ${FULL}${ERROR_END}$`),
  );
  assert.equal(listed, "ballast");
  assert.match(written ?? "", /\|Wrote covtool\.yaml\. /);
});

shellTest(
  "the proxy says where it has no space for its key, and leaves no partial file",
  MOUNTING,
  async (run) => {
    const { out, err } = await run(`${mountDisk(64)}
        fill
        XDG_DATA_HOME=$PWD/disk sentence proxy openapi.yaml -- true
        find disk -type f
      `);
    assert.equal(err, "");
    const [said, ...files] = out.split("\n");
    assert.match(
      said ?? "",
      new RegExp(`^1 Error: Cannot write to \\S+/disk/covtool: ${FULL}${ERROR_END}$`),
    );
    assert.deepEqual(files, ["disk/ballast", ""]);
  },
);

shellTest(
  "on a full disk the proxy warns and continues to count, and saves again once there is space",
  MOUNTING,
  async (run) => {
    await using server = serveLongAnswers();
    const url = `http://127.0.0.1:${server.addr.port}/api/v1/books`;
    const { out, err } = await run(`${mountDisk(100)}
          fill; truncate -s -9k disk/ballast
          cat > client.sh <<'END'
            curl -s -o /dev/null "${url}?limit=[1-9]"
            sleep 1; rm disk/ballast
            curl -s -o /dev/null "${url}?limit=[21-22]"
END
          covtool proxy openapi.yaml -p 0 --save-traffic disk/out/t.jsonl --format json=p.json -- bash client.sh
          echo "code $?"
          covtool convert disk/out/t.jsonl --format jsonl
        `);
    assert.match(
      err,
      new RegExp(`TRAFFIC IS NOT BEING SAVED: Cannot write disk/out/t\\.jsonl: ${FULL}`),
    );
    assert.match(err, /^11 requests: 11 matched/m);
    assert.match(err, /^covtool: exit 1: error \(the recording could not be written\)$/m);
    assert.doesNotMatch(err, /Warning: disk/);
    const [code, ...lines] = out.trimEnd().split("\n");
    assert.equal(code, "code 1");
    const limits = lines.map((line) => Number(/limit=(\d+)/.exec(line)?.[1]));
    const saved = limits.length - 2;
    assert.ok(saved >= 1 && saved < 9, `${saved} were saved before the disk was full`);
    const before = Array.from({ length: saved }, (_, index) => index + 1);
    assert.deepEqual(limits, [...before, 21, 22]);
  },
);

shellTest(
  "covtool probe counts traffic that doesn't fit on the disk, warns, and fails",
  MOUNTING,
  async (run) => {
    await using server = serveLongAnswers();
    const url = `http://127.0.0.1:${server.addr.port}/api/v1`;
    const { out, err } = await run(`${mountDisk(100)}
          fill; truncate -s -9k disk/ballast
          covtool probe openapi.yaml --server ${url} --max 20 --save-traffic disk/t.jsonl --format json=q.json
          echo "code $?"
          grep -c . q.json
          covtool convert disk/t.jsonl --format jsonl | grep -c .
        `);
    assert.match(
      err,
      new RegExp(`Warning: Cannot write disk/t\\.jsonl: ${FULL} What it lacks still counts\\.`),
    );
    assert.match(err, /^20 requests: 20 matched/m);
    assert.match(err, /^covtool: exit 1: error \(the traffic file could not be written\)$/m);
    const [code, lines, saved] = out.trimEnd().split("\n");
    assert.equal(code, "code 1");
    assert.ok(Number(lines) > 0, "the report is written");
    assert.ok(Number(saved) >= 1 && Number(saved) < 20, `${saved} were saved`);
  },
);

shellTest(
  "covtool run warns of requests that weren't recorded because the disk is full",
  MOUNTING,
  async (run) => {
    const { out } = await run(`${mountDisk(64)}
        cat > client.ts <<'END'
          import { TrafficCollector } from "${COLLECTOR}";
          const collector = TrafficCollector.shared();
          const answer = () => Promise.resolve(Response.json({ pad: "x".repeat(3000) }));
          const client = collector.fetch.trackClient(answer);
          for (let index = 0; index < 60; index++) {
            await (await client("http://localhost/api/v1/books?limit=" + index)).text();
          }
          await collector.flush();
END
        for round in some none; do
          TMPDIR=$PWD/disk covtool run openapi.yaml --format json=u.json -- "$DENO" run -A client.ts 2>&1
          ls -A disk
          fill
        done
      `);
    const warnings = out.match(/Warning: Process \d+ could not record .*/g) ?? [];
    assert.equal(warnings.length, 2, out);
    for (const warning of warnings) {
      assert.match(
        warning,
        /could not record all requests: there is no room in \S+\/disk\. Free some space, or set TMPDIR to a folder on another disk/,
      );
    }
    const [, some] = /^(\d+) requests: \1 matched/m.exec(out) ?? [];
    assert.ok(Number(some) > 5 && Number(some) < 60, some);
    assertNoDrafts(out.replace(/Warning: .*/g, ""));
  },
);

shellTest(
  "a read-only disk has its own message, and files on it can be read",
  MOUNTING,
  async (run) => {
    const { out, err } = await run(`${mountDisk(2000)}
        cp openapi.yaml traffic.json disk; echo old > disk/old.html
        mount -o remount,ro disk; cd disk
        covtool() { "$DENO" run -A --no-code-cache "$CLI" "$@"; }
        said() { "$DENO" run -A --no-code-cache "$CLI" "$@" 2>&1 >/dev/null | tr '\\n' '|'; echo; }
        said report openapi.yaml traffic.json
        said report openapi.yaml traffic.json -o old.html
        said convert traffic.json -o new/traffic.jsonl
        said init
        said proxy openapi.yaml --save-traffic t.jsonl -- true
        covtool report openapi.yaml traffic.json --format text | head -1
        covtool run openapi.yaml --format text -- true 2>/dev/null | grep Bookshop
      `);
    assert.equal(err, "");
    const paths = ["coverage.html", "old.html", "new/traffic.jsonl", "covtool.yaml", "t.jsonl"];
    const lines = out.trimEnd().split("\n");
    for (const path of paths) {
      assert.match(
        lines.shift() ?? "",
        new RegExp(
          `^Error: Cannot (?:write|use) ${path}: This disk is read-only: choose a file on another disk\\.${ERROR_END}$`,
        ),
      );
    }
    assert.deepEqual(lines, ["Bookshop", "Bookshop"]);
  },
);

// The sources need Deno's cache, whose files exceed the limit.
const NEEDS_BUNDLE = {
  isMet: Deno.build.os !== "windows" && COVTOOL_MODULE.endsWith("js"),
  reason: "no bundle in TEST_PROGRAM; run it by `deno task test`, and not on Windows",
};

shellTest(
  "exceeding ulimit -f has its own message, and the old file stays",
  { ...ANY_SHELL, requirement: NEEDS_BUNDLE },
  async (run) => {
    const { out, err } = await run(
      `
      mkdir out; echo old > out/r.html; echo old > out/r.json
      ulimit -f 150
      sentence report openapi.yaml traffic.json --format html=out/r.html
      sentence report openapi.yaml traffic.json --format json=out/r.json
      sentence report openapi.yaml traffic.json --format badge=out/r.svg
      cat out/r.html out/r.json; ls -A out
    `,
      { DENO_DIR: "/dev/null/none" },
    );
    assert.equal(err, "");
    const [html, json, badge, ...rest] = out.trimEnd().split("\n");
    for (const [said, name] of [[html, "html"], [json, "json"]] as const) {
      const sentence =
        `^1 Error: Cannot write out/r\\.${name}: The file would exceed the size limit \\(see .ulimit -f.\\)\\.${ERROR_END}$`;
      assert.match(said ?? "", new RegExp(sentence));
    }
    assert.match(badge ?? "", /^0 /);
    assert.deepEqual(rest, ["old", "old", "r.html", "r.json", "r.svg"]);
  },
);
