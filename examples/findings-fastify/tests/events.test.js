import { collector } from "covtool/node-test";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createApp } from "../app.js";

describe("events", () => {
  const app = collector.fastify.trackClient(createApp());

  test("are listed", async () => {
    const response = await app.inject("/events?limit=1");
    assert.equal(response.json().length, 1);
  });

  test("are all listed when more are asked for than there are", async () => {
    const response = await app.inject("/events?limit=1000");
    assert.equal(response.json().length, 2);
  });

  test("are not listed without end", async () => {
    assert.equal((await app.inject("/events?limit=0")).statusCode, 400);
  });

  test("are shown", async () => {
    assert.equal((await app.inject("/events/opera")).json().title, "Aida");
  });

  test("are an error if they are unknown", async () => {
    assert.ok((await app.inject("/events/circus")).statusCode >= 400);
  });
});
