import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { startCommand } from "../cli/running_command.ts";
import { ANY_SHELL, clockAt, shellTest } from "./shell.ts";

/** All formats, each in its own file. */
const ALL = ["html", "json", "text", "markdown", "lcov", "cobertura", "junit", "sarif", "badge"]
  .map((name) => `--format ${name}=r.${name}`).join(" ") + " --format hits=r.hits";

shellTest("reports are the same bytes in every time zone and language", ANY_SHELL, async (run) => {
  const sums: string[] = [];
  for (
    const [TZ, language] of [
      ["UTC", "C"],
      ["America/St_Johns", "tr_TR.UTF-8"],
      ["Pacific/Kiritimati", "ar_EG.UTF-8"],
      ["Nonsense/Zone", "xx_YY"],
    ] as const
  ) {
    const env = { TZ, LANG: language, LC_ALL: language, LANGUAGE: language };
    const { code, out, err } = await run(
      `covtool report openapi.yaml traffic.json ${ALL} 2>r.said || exit; cat r.* | cksum; rm r.*`,
      env,
    );
    assert.equal(code, 0, err);
    sums.push(out);
  }
  assert.equal(new Set(sums).size, 1, sums.join(""));
});

shellTest(
  "a proxy that is interrupted twice leaves no key in the temporary folder",
  ANY_SHELL,
  async (_run, folder) => {
    mkdirSync(`${folder}/tmp`);
    const proxy = startCommand(
      folder,
      [
        ...["proxy", "openapi.yaml", "-p", "0", "--", "sh", "-c"],
        "trap '' TERM; echo ready >&2; sleep 3",
      ],
      { XDG_DATA_HOME: "/dev/null/x", TMPDIR: `${folder}/tmp` },
    );
    await proxy.said(/ready/);
    const keys = () => readdirSync(`${folder}/tmp`).filter((name) => /^covtool-proxy-/.test(name));
    assert.equal(keys().length, 1);
    proxy.child.kill("SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, 300));
    proxy.child.kill("SIGTERM");
    assert.equal(await proxy.exitCode(), 130, proxy.err());
    assert.deepEqual(keys(), []);
  },
);

shellTest(
  "with a wrong clock, reports have its time and certificates are valid at that time",
  ANY_SHELL,
  async (run, folder) => {
    const authority = (): X509Certificate => {
      const pem = readFileSync(`${folder}/data/covtool/proxy-ca.pem`, "utf8");
      const [certificate = ""] = /-----BEGIN CERTIFICATE-----[^]*/.exec(pem) ?? [];
      return new X509Certificate(certificate);
    };
    // The second time exceeds 32 bits.
    for (const time of ["1970-01-01T00:00:01Z", "2099-12-31T23:59:59Z"]) {
      const { code, out, err } = await run(
        `
          covtool report openapi.yaml traffic.json --format json 2>/dev/null | grep -m1 generated_at
          rm -rf data/covtool
          covtool proxy openapi.yaml -p 0 --format badge=p.svg -- true 2>said || cat said
        `,
        clockAt(time),
      );
      assert.equal(code, 0, err);
      // The clock runs on from there.
      const day = Date.parse(time);
      const at = Date.parse(/"generated_at": "(.*)"/.exec(out)?.[1] ?? "");
      assert.ok(at >= day - 1000 && at < day + 600_000, out);
      const { validFrom, validTo } = authority();
      assert.ok(Date.parse(validFrom) < day && Date.parse(validTo) > day, time);
    }
    // The clock is right again, so the authority must not be from the future.
    const { code, err } = await run(`covtool proxy openapi.yaml -p 0 --format badge=p.svg -- true`);
    assert.equal(code, 0, err);
    assert.ok(Date.parse(authority().validFrom) <= Date.now());
  },
);

shellTest(
  "an exclusion ends on its date, in UTC, whatever the time zone",
  ANY_SHELL,
  async (run) => {
    const config = `
schema: openapi.yaml
exclude:
  - { pattern: "/orders/**", reason: Not deployed yet., until: 2030-06-01 }
`;
    await run(`cat > covtool.yaml <<'END'\n${config}END`);
    for (
      const [time, TZ, expected] of [
        ["1971-01-01T00:00:00Z", "UTC", 0],
        // Time zones in which it is the next or the previous day.
        ["2030-06-01T23:50:00Z", "Pacific/Kiritimati", 0],
        ["2030-06-02T00:00:30Z", "Pacific/Honolulu", 1],
      ] as const
    ) {
      const { code, out } = await run(
        `covtool report traffic.json --format badge=r.svg --fail-on stale-exclusions 2>&1`,
        { ...clockAt(time), TZ },
      );
      assert.equal(code, expected, out);
      assert.equal(/2030-06-01/.test(out), expected === 1, out);
    }
  },
);
