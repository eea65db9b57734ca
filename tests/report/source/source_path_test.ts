import assert from "node:assert/strict";
import { sourcePath } from "../../../src/report/source/source_path.ts";

const CASES: readonly (readonly [string, string, string | undefined, string])[] = [
  ["openapi.yaml", "", "/work", "openapi.yaml"],
  ["./api/../openapi.yaml", "", "/work", "openapi.yaml"],
  ["api/openapi.yaml", "schemas/user.yaml", "/work", "api/schemas/user.yaml"],
  ["api/openapi.yaml", "../../common.yaml", "/work", "../common.yaml"],
  ["/work/api/openapi.yaml", "", "/work", "api/openapi.yaml"],
  ["/work/api/openapi.yaml", "", "/work/", "api/openapi.yaml"],
  ["/workshop/openapi.yaml", "", "/work", "/workshop/openapi.yaml"],
  ["/work/api/openapi.yaml", "../../common.yaml", "/work", "/common.yaml"],
  ["/work/openapi.yaml", "", undefined, "/work/openapi.yaml"],
  ["file:///work/my%20api.yaml", "", "/work", "my api.yaml"],
  ["file:///C:/work/openapi.yaml", "", "C:\\work", "openapi.yaml"],
  ["C:\\work\\api\\openapi.yaml", "user.yaml", "C:\\work", "api/user.yaml"],
  ["api\\openapi.yaml", "", "C:\\work", "api/openapi.yaml"],
  ["https://example.org/v1/openapi.yaml", "", "/work", "https://example.org/v1/openapi.yaml"],
  ["https://example.org/v1/openapi.yaml", "../a b.yaml", "/", "https://example.org/a%20b.yaml"],
  ["openapi.yaml", "https://example.org/user.yaml", "/work", "https://example.org/user.yaml"],
];

for (const [location, label, workingDirectory, expected] of CASES) {
  Deno.test(`sourcePath() of ${label || "the entry"} of ${location} in ${workingDirectory} is ${expected}`, () =>
    assert.equal(sourcePath(location, label, workingDirectory), expected));
}
