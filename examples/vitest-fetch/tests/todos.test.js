import { afterEach, beforeEach, expect, test } from "vitest";
import { startServer } from "../server.js";

let server;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

function post(todo) {
  return fetch(`${server.origin}/todos`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(todo),
  });
}

test("a todo is added and shown", async () => {
  const response = await post({ title: "Buy milk" });
  expect(response.status).toBe(201);
  const { id } = await response.json();
  const shown = await fetch(`${server.origin}/todos/${id}`);
  expect(await shown.json()).toMatchObject({ title: "Buy milk", done: false });
});

test("the list has as many todos as were asked for", async () => {
  await post({ title: "Buy milk" });
  await post({ title: "Water the plants" });
  const response = await fetch(`${server.origin}/todos?limit=1`);
  expect(await response.json()).toHaveLength(1);
});

test("a todo is done", async () => {
  await post({ title: "Buy milk" });
  const response = await fetch(`${server.origin}/todos/1`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ done: true }),
  });
  expect(await response.json()).toMatchObject({ done: true });
});
