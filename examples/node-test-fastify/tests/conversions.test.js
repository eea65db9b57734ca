import { collector } from "covtool/node-test";
import assert from "node:assert/strict";
import { test } from "node:test";
import { createApp } from "../app.js";

const app = collector.fastify.trackClient(createApp());

function convert(payload) {
  return app.inject({ method: "POST", url: "/conversions", payload });
}

test("an amount is converted", async () => {
  const response = await convert({ from: "EUR", to: "SEK", amount: 10 });
  assert.deepEqual(response.json(), { amount: 112 });
});

test("nothing cannot be converted", async () => {
  assert.equal((await convert({ from: "EUR", to: "SEK", amount: 0 })).statusCode, 422);
});
