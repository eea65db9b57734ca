// Servers whose certificates are issued by an authority of their own. The built program and the package for npm are tried
// in the same way (scripts/check_program.ts, scripts/check_npm.ts).
import assert from "node:assert/strict";
import { tryOwnAuthority } from "../../scripts/program/own_authority.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { startCommand } from "./running_command.ts";
import { inShop } from "./shop_files.ts";

Deno.test("descriptions, the proxy and probe trust the authorities of --ca, the config file and both variables", () =>
  tryOwnAuthority([Deno.execPath(), "run", "-A", COVTOOL_MODULE], true));

Deno.test("a file without a certificate is refused before anything connects, and in a variable passed over", () =>
  inShop(async (folder) => {
    const files = ["report", "openapi.yaml", "traffic.json"];
    for (const [name, reason] of [["traffic.json", "no certificate in PEM"], ["none", "no such"]]) {
      const refused = startCommand(folder, [...files, "--ca", `${name}`]);
      assert.equal(await refused.exitCode(), 1);
      const err = refused.err().replaceAll(/\s+/g, " ");
      assert.match(err, new RegExp(`^Error: Cannot trust .* in ${name}: .*${reason}`));
      const passed = startCommand(folder, files, { DENO_CERT: "", NODE_EXTRA_CA_CERTS: `${name}` });
      assert.equal(await passed.exitCode(), 0, passed.err());
    }
  }));
