import { collector } from "covtool/node-test";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createApp } from "../app.js";

describe("bookings", () => {
  const app = collector.fastify.trackClient(createApp());

  function book(payload) {
    return app.inject({ method: "POST", url: "/bookings", payload });
  }

  test("are made", async () => {
    const response = await book({ event: "jazz", seats: 2, email: "nellie@jazz.example" });
    assert.ok(response.json().id);
  });

  test("need an address", async () => {
    assert.equal((await book({ event: "jazz", seats: 2 })).statusCode, 422);
  });

  test("are for one seat at least, and for ten at most", async () => {
    for (const seats of [0, 11]) {
      const response = await book({ event: "jazz", seats, email: "nellie@jazz.example" });
      assert.equal(response.statusCode, 422);
    }
  });

  test("are listed", async () => {
    const own = await app.inject("/bookings?email=nellie@jazz.example");
    assert.equal(own.json().length, 1);
    assert.equal((await app.inject("/bookings")).statusCode, 200);
  });

  test("can't be cancelled twice", async () => {
    await app.inject({ method: "DELETE", url: "/bookings/1" });
    const again = await app.inject({ method: "DELETE", url: "/bookings/1" });
    assert.equal(again.statusCode, 404);
  });
});
