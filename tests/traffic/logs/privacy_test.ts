import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { LOG_FORMATS, readLogFixture } from "./read_log.ts";

const FOLDER = new URL("../../fixtures/recordings/access-logs/", import.meta.url);

/** Planted in the fixtures by the scripts that recorded or built them. */
const PLANTED =
  /127\.0\.0\.9|203\.0\.113\.77|ada\.lovelace|pa55w0rd|YWRhLmxvdmVsYWNl|referrer\.example|c00kie|t0ken-s3cret/;

for (const name of readdirSync(FOLDER).filter((file) => /\.(?:log|jsonl|gor|mitm)$/.test(file))) {
  Deno.test(`${name}: the sender, the address and secrets aren't kept`, async () => {
    assert.match(readFileSync(new URL(name, FOLDER), "utf8"), PLANTED, "nothing is planted");
    const { interactions, warnings } = await readLogFixture(`access-logs/${name}`, {
      logFormat: LOG_FORMATS[name],
    });
    assert.ok(interactions.length > 0);
    const hasQueries = !name.includes("api_gateway");
    assert.equal(interactions.some(({ request }) => /token=/.test(request.url)), hasQueries);
    const kept = JSON.stringify([interactions, warnings]);
    assert.equal(PLANTED.exec(kept)?.[0], undefined);
  });
}
