import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import assert from "node:assert/strict";

/** Names of drafts and of covtool's temporary folders. */
const TEMPORARY = /^\.covtool-.*\.tmp$|^covtool-(?:run|proxy|net)-/;

/** A folder in which covtool is killed: `work` has its inputs and outputs, `data` its authority, `tmp` the rest. */
export interface FaultFolder {
  readonly work: string;
  readonly data: string;
  readonly tmp: string;
}

/** Makes the three folders inside another. */
export function makeFaultFolder(path: string): FaultFolder {
  const folder = { work: join(path, "work"), data: join(path, "data"), tmp: join(path, "tmp") };
  for (const one of Object.values(folder)) mkdirSync(one, { recursive: true });
  return folder;
}

/** Paths that covtool should have removed. */
export function leftovers({ work, data, tmp }: FaultFolder): string[] {
  return [work, data, tmp].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => TEMPORARY.test(path.slice(path.lastIndexOf("/") + 1)))
      .map((path) => join(folder, path))
  );
}

/** Asserts that a file has one of these texts; it may be missing only if it was before. */
export function assertOneOf(path: string, texts: readonly string[], wasThere: boolean): void {
  if (!existsSync(path)) return assert.ok(!wasThere, `${path} is gone`);
  const found = readFileSync(path, "utf8");
  if (texts.includes(found)) return;
  const [text = ""] = texts;
  assert.fail(`${path} is neither the old file nor the new one: ${found.length} of ${text.length}`);
}

/** Asserts that a JSON report is complete, if there is one. */
export function assertWholeReport(path: string): void {
  if (!existsSync(path)) return;
  const report = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  assert.ok("summary" in report && "operations" in report, `${path} is no report`);
}

/** The content of a proxy's recording. */
export interface RecordedLines {
  /** Number of complete lines. */
  readonly whole: number;
  /** True if the last line is truncated. */
  readonly isCut: boolean;
}

/** Reads a proxy's recording, and asserts that only the last line may be truncated. */
export function readLines(path: string): RecordedLines {
  if (!existsSync(path)) return { whole: 0, isCut: false };
  const lines = readFileSync(path, "utf8").split("\n");
  const last = lines.pop() ?? "";
  for (const line of lines) {
    const { request } = JSON.parse(line) as { readonly request?: unknown };
    assert.ok(request !== undefined, `${path} has a line without a request`);
  }
  return { whole: lines.length, isCut: last !== "" };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g;

/** Asserts that the authority in a data folder is complete, and so are the files with which clients trust it. */
export function assertAuthority(folder: string): void {
  const path = join(folder, "covtool");
  if (!existsSync(path)) return;
  for (const name of readdirSync(path)) {
    if (TEMPORARY.test(name) || name === "sessions") continue;
    const bytes = readFileSync(join(path, name));
    const text = bytes.toString("latin1");
    if (name === "proxy-ca.pem") {
      const certificate = new X509Certificate(text.match(CERTIFICATE)?.[0] ?? "");
      const key = createPrivateKey(text.replace(CERTIFICATE, ""));
      assert.ok(certificate.checkPrivateKey(key), "the key is another one's");
    } else if (name.endsWith(".jks")) {
      assert.equal(bytes.readUInt32BE(0), 0xfeedfeed, `${name} is no trust store`);
    } else if (name.endsWith(".pem")) {
      const own = text.match(CERTIFICATE)?.at(-1);
      assert.match(new X509Certificate(own ?? "").subject, /^CN=covtool proxy CA /, name);
      assert.ok(text.endsWith(own ?? "-"), `${name} is cut`);
    } else assert.fail(`${name} is none of covtool's files`);
  }
}
