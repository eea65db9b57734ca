import { collector } from "covtool/node-test";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createApp } from "../app.js";

describe("rates", () => {
  const app = collector.fastify.trackClient(createApp());

  test("are known for every currency", async () => {
    const currencies = (await app.inject("/currencies")).json();
    for (const currency of currencies) {
      assert.equal((await app.inject(`/rates/${currency}`)).statusCode, 200);
    }
  });

  test("are not known for what is no currency", async () => {
    assert.equal((await app.inject("/rates/gold")).statusCode, 404);
  });
});
