import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { draftName } from "../../src/files/write_new_file.ts";
import { Authority, createAuthority, openAuthority } from "../../src/proxy/authority.ts";
import { runOnFullDisk } from "./full_disk.ts";
import { inFolder } from "../in_folder.ts";

const DAY = 24 * 60 * 60 * 1000;

Deno.test("the authority is created once, for its user only, and reused", () =>
  inFolder({}, async (folder) => {
    const place = `${folder}/new/covtool`;
    const first = await openAuthority(place, new Date());
    assert.equal(first.state, "created");
    assert.equal(((await Deno.stat(`${place}/proxy-ca.pem`)).mode ?? 0) & 0o777, 0o600);
    await Deno.chmod(`${place}/proxy-ca.pem`, 0o644);
    const second = await openAuthority(place, new Date());
    assert.equal(second.state, "found");
    assert.equal(second.authority.certificate, first.authority.certificate);
    assert.equal(((await Deno.stat(`${place}/proxy-ca.pem`)).mode ?? 0) & 0o777, 0o600);
    assert.deepEqual([...Deno.readDirSync(place)].map(({ name }) => name), ["proxy-ca.pem"]);
  }));

Deno.test("proxies that start at the same time use the same authority", () =>
  inFolder({}, async (folder) => {
    const opened = await Promise.all(
      Array.from({ length: 8 }, () => openAuthority(folder, new Date())),
    );
    assert.equal(new Set(opened.map(({ authority }) => authority.certificate)).size, 1);
    assert.equal(opened.filter(({ state }) => state === "created").length, 1);
  }));

Deno.test("an authority that expires soon or is damaged is replaced", () =>
  inFolder({}, async (folder) => {
    const { authority } = await openAuthority(folder, new Date());
    const late = new Date(authority.notAfter.getTime() - 59 * DAY);
    const renewed = await openAuthority(folder, late);
    assert.equal(renewed.state, "renewed");
    assert.ok(renewed.authority.notAfter > authority.notAfter);
    await Deno.writeTextFile(`${folder}/proxy-ca.pem`, "nonsense");
    assert.equal((await openAuthority(folder, new Date())).state, "renewed");
    assert.equal((await openAuthority(folder, new Date())).state, "found");
  }));

Deno.test("an authority that was created while the clock was ahead is replaced", () =>
  inFolder({}, async (folder) => {
    const now = new Date();
    const ahead = await openAuthority(folder, new Date(now.getTime() + 1000 * DAY));
    assert.ok(ahead.authority.notBefore > now);
    const { authority, state } = await openAuthority(folder, now);
    assert.equal(state, "renewed");
    assert.ok(authority.notBefore <= now);
    // Clocks of clients differ, so a day more or less is accepted.
    const early = new Date(now.getTime() - 0.9 * DAY);
    assert.equal((await openAuthority(folder, early)).state, "found");
  }));

Deno.test("an authority is outdated if it is valid for less than 60 more days", () => {
  const authority = new Authority(createAuthority(new Date("2026-01-31T12:00:00Z")));
  const last = authority.notAfter.getTime() - 60 * DAY;
  assert.equal(authority.isOutdated(new Date(last)), false);
  assert.equal(authority.isOutdated(new Date(last + 1)), true);
});

Deno.test("an outdated authority that can't be replaced is not used", async () => {
  if (Deno.build.os === "windows") return;
  await inFolder({}, async (folder) => {
    const { authority } = await openAuthority(folder, new Date());
    const late = authority.notAfter.getTime() - DAY;
    const { code, err } = await runOnFullDisk(
      "authority",
      `await module.openAuthority(${JSON.stringify(folder)}, new Date(${late}));`,
    );
    assert.match(err, /EFBIG: .*, write/);
    assert.equal(code, 1);
    const kept = await openAuthority(folder, new Date());
    assert.equal(kept.authority.certificate, authority.certificate);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["proxy-ca.pem"]);
  });
});

Deno.test("server certificates meet the requirements of clients", () => {
  const now = new Date("2026-01-31T12:00:00Z");
  const authority = new Authority(createAuthority(now));
  const root = new X509Certificate(authority.certificate);
  assert.ok(root.ca);
  assert.match(root.subject, /^CN=covtool proxy CA [0-9a-f]{8}$/);
  const name = new X509Certificate(authority.issueLeaf("api.example", now).certificate);
  const address = new X509Certificate(authority.issueLeaf("::1", now).certificate);
  assert.equal(name.checkHost("api.example"), "api.example");
  assert.ok(address.checkIP("::1"));
  assert.ok(name.verify(root.publicKey) && name.checkIssued(root));
  assert.ok(!name.ca);
  assert.notEqual(name.serialNumber, address.serialNumber);
  // Names are lowercase, and clocks of clients may be behind.
  const shouted = authority.issueLeaf("API.Example", now);
  assert.equal(new X509Certificate(shouted.certificate).subjectAltName, "DNS:api.example");
  assert.equal(Date.parse(name.validFrom), now.getTime() - DAY);
  assert.ok(new Date(name.validTo).getTime() - new Date(name.validFrom).getTime() <= 398 * DAY);
  const other = createAuthority(now);
  assert.throws(
    () => new Authority({ certificate: authority.certificate, key: other.key }),
    /doesn't match its certificate/,
  );
});

Deno.test("a key file that a killed proxy left incomplete is removed", () =>
  inFolder({}, async (folder) => {
    // A process of this machine that began the file and doesn't run any more.
    const left = draftName().replace(/^(\.covtool)-\d+-\d+/, "$1-999999999-1");
    for (const name of [left, draftName()]) {
      await Deno.writeTextFile(`${folder}/${name}`, "PRIVATE KEY");
    }
    await openAuthority(folder, new Date());
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assert.ok(!names.includes(left));
    assert.equal(names.length, 2);
  }));
