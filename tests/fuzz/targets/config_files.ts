import assert from "node:assert/strict";
import { join } from "node:path";
import { checkConfig } from "../../../src/run/config/read_config.ts";
import { CommandError } from "../../../src/run/command_error.ts";
import { encode, type FuzzTarget } from "../fuzz_target.ts";
import { mutateBytes } from "../mutate_bytes.ts";

const CONFIG = `# yaml-language-server: $schema=./covtool.schema.json
schema: openapi.yaml
traffic: [traffic.json, "logs/**/*.har"]
format: [text, json=coverage.json]
failUnder: 80
failUnderKeywords: 12.5
include: ["GET /books/*", tag:books]
exclude:
  - pattern: operation:deleteBook
    reason: "only admins"
    until: 2027-01-01
failOn: [new-gaps, decrease=operations]
showMissing: [keywords]
apis:
  - name: Shop
    schema: shop.yaml
    hosts: ["*.shop.example"]
    basePath: /v1
`;

let folder: string | undefined;

/** Config files with changed bytes: read, or refused with lines, columns and messages. */
export const configFiles: FuzzTarget = {
  name: "config-files",
  make: (random) => mutateBytes(encode(CONFIG), random),
  check(input) {
    folder ??= Deno.makeTempDirSync({ prefix: "covtool-fuzz" });
    const path = join(folder, "covtool.yaml");
    Deno.writeFileSync(path, input);
    try {
      for (const { line, column, message } of checkConfig(path).problems) {
        assert.ok(line >= 1 && column >= 1, `${line}:${column} ${message}`);
        assert.doesNotMatch(message, /undefined|\[object|\n\s+at /);
        assert.match(message, /[.?)]$/);
      }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
    }
  },
};
