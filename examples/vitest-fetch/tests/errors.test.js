import { afterEach, beforeEach, expect, test } from "vitest";
import { startServer } from "../server.js";

let server;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

test("a todo without a title is refused", async () => {
  const response = await fetch(`${server.origin}/todos`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title: "" }),
  });
  expect(response.status).toBe(400);
});

test("a limit that is too high is refused", async () => {
  const response = await fetch(`${server.origin}/todos?limit=51`);
  expect(response.status).toBe(400);
});

test("a todo that is not there is not found", async () => {
  const response = await fetch(`${server.origin}/todos/17`);
  expect(response.status).toBe(404);
});
