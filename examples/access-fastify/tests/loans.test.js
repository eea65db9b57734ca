import { collector } from "covtool/node-test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { createApp } from "../app.js";

const keyOf = (name) => readFileSync(new URL(`../keys/${name}`, import.meta.url), "utf8").trim();
const app = collector.fastify.trackClient(createApp());

/** Sends a request with the key of a user, or without a key if there is no name. */
function send(name, method, url, payload) {
  const headers = name === undefined ? {} : { "x-api-key": keyOf(name) };
  return app.inject({ method, url, headers, ...(payload && { payload }) });
}

async function borrow(name) {
  const response = await send(name, "POST", "/loans", { book: "Momo" });
  assert.equal(response.statusCode, 201);
  return `/loans/${response.json().id}`;
}

describe("loans", () => {
  test("are made by readers", async () => {
    await borrow("ann");
    await borrow("ben");
    assert.equal(
      (await send(undefined, "POST", "/loans", { book: "Momo" })).statusCode,
      401,
    );
    for (const name of ["lea", "root"]) {
      assert.equal(
        (await send(name, "POST", "/loans", { book: "Momo" })).statusCode,
        403,
      );
    }
  });

  test("are shown", async () => {
    const loan = await borrow("ann");
    for (const name of ["ann", "ben", "lea", "root"]) {
      assert.ok((await send(name, "GET", loan)).statusCode < 500);
    }
    assert.equal((await send(undefined, "GET", loan)).statusCode, 401);
    assert.equal((await send("lea", "GET", "/loans/99")).statusCode, 404);
  });

  test("are given back", async () => {
    for (const name of ["ann", "lea", "root"]) {
      const loan = await borrow("ann");
      assert.equal((await send("ben", "DELETE", loan)).statusCode, 403);
      assert.equal((await send(undefined, "DELETE", loan)).statusCode, 401);
      assert.equal((await send(name, "DELETE", loan)).statusCode, 204);
      assert.equal((await send(name, "DELETE", loan)).statusCode, 404);
    }
  });
});

describe("staff", () => {
  test("counts loans", async () => {
    for (const name of ["ann", "lea", "root"]) {
      await send(name, "GET", "/reports/loans");
    }
    assert.equal(
      (await send(undefined, "GET", "/reports/loans")).statusCode,
      401,
    );
  });

  test("removes readers", async () => {
    for (const name of ["lea", "root"]) {
      await send(name, "DELETE", "/readers/zoe");
    }
    assert.equal((await send("ann", "DELETE", "/readers/ben")).statusCode, 403);
    assert.equal(
      (await send(undefined, "DELETE", "/readers/ben")).statusCode,
      401,
    );
  });
});
