import assert from "node:assert/strict";
import { ApiMaps } from "../../src/coverage_map/api_maps.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { readYaml } from "../../src/openapi/read_yaml.ts";
import { writePage } from "../../src/run/write_page.ts";
import { SHOP_DESCRIPTION } from "../cli/shop_files.ts";

Deno.test("live pages leave out the next requests if reports do", () => {
  const map = MeasuredApi.fromDict(readYaml(SHOP_DESCRIPTION).value);
  for (const name of ["shop", undefined]) {
    const shown = new ApiMaps([{ name, map }]);
    assert.ok(writePage(shown, {}).includes('"next":{"requests":[{'));
    assert.ok(!writePage(shown, { suggestions: false }).includes('"next":{"requests"'));
  }
});
