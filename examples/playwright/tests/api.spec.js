import { expect, test } from "./fixtures.js";

test("a note has a colour", async ({ request }) => {
  const response = await request.post("/api/notes", { data: { text: "Hello", colour: "pink" } });
  expect(response.status()).toBe(201);
  expect(await response.json()).toMatchObject({ colour: "pink" });
});

test("a note without a text is refused", async ({ request }) => {
  const response = await request.post("/api/notes", { data: { text: "" } });
  expect(response.status()).toBe(400);
});

test("a note that is not there is not found", async ({ request }) => {
  const response = await request.delete("/api/notes/4711");
  expect(response.status()).toBe(404);
});
