import { inWorkingFolder } from "../in_folder.ts";
import { type Ended, type FakeHostOptions, runCovtool } from "./fake_host.ts";

/** A description with two operations, of which the traffic calls one. */
export const SHOP_DESCRIPTION = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers: [{ url: https://shop.example/v1 }]
paths:
  /books:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100 } }
        - { name: sort, in: query, schema: { type: string, enum: [title, price] } }
      responses: { 200: { description: Books }, 400: { description: Refused } }
    post:
      requestBody:
        content: { application/json: { schema: { type: object } } }
      responses: { 201: { description: Created } }
`;

/** Two requests that match, and one that doesn't. */
export const SHOP_TRAFFIC = JSON.stringify({
  interactions: [
    {
      request: { method: "GET", url: "http://localhost/v1/books?limit=5" },
      response: { status_code: 200 },
    },
    {
      request: { method: "GET", url: "http://localhost/v1/books?limit=500" },
      response: { status_code: 200 },
    },
    { request: { method: "GET", url: "http://localhost/v1/nope" } },
  ],
});

/** Runs a test in a temporary working folder with `openapi.yaml`, `traffic.json` and other files. */
export async function inShop(
  test: (folder: string) => Promise<void>,
  files: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await inWorkingFolder(
    { "openapi.yaml": SHOP_DESCRIPTION, "traffic.json": SHOP_TRAFFIC, ...files },
    test,
  );
}

/** Runs `covtool report` with these files and with options. */
export async function reportShop(
  options: string | readonly string[],
  host: FakeHostOptions = {},
): Promise<Ended> {
  const files = ["openapi.yaml", "traffic.json"];
  return typeof options === "string"
    ? await runCovtool(`report ${files.join(" ")} ${options}`, host)
    : await runCovtool(["report", ...files, ...options], host);
}
