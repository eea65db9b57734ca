// Tests servers whose certificates are issued by a private authority. The built program and the package for npm are
// tested the same way (scripts/check_program.ts, scripts/check_npm.ts).
import assert from "node:assert/strict";
import { tryOwnAuthority } from "../../scripts/program/own_authority.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { startCommand } from "./running_command.ts";
import { inShop } from "./shop_files.ts";

Deno.test("descriptions, the proxy and probe trust authorities from --ca, the config file and variables", () =>
  tryOwnAuthority([Deno.execPath(), "run", "-A", COVTOOL_MODULE], true));

Deno.test("a file without a certificate is refused at once, but skipped if a variable names it", () =>
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
