import { collector } from "covtool/node-test";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createApp } from "../app.js";

const COUNTER = { authorization: "Bearer box-office" };

describe("bookings", () => {
  const app = collector.fastify.trackClient(createApp());

  function book(payload) {
    return app.inject({ method: "POST", url: "/bookings", payload });
  }

  function cancel(id, headers) {
    return app.inject({ method: "DELETE", url: `/bookings/${id}`, headers });
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

  test("are listed by address", async () => {
    const own = await app.inject("/bookings?email=nellie@jazz.example");
    assert.equal(own.json().length, 1);
    assert.equal((await app.inject("/bookings")).statusCode, 400);
  });

  test("are cancelled at the counter only, and not twice", async () => {
    assert.equal((await cancel(1)).statusCode, 401);
    await cancel(1, COUNTER);
    assert.equal((await cancel(1, COUNTER)).statusCode, 404);
  });
});
