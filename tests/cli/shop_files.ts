import { inFolder } from "../in_folder.ts";
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

/** Two requests that match and one that does not. */
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

/** Runs a test in a folder with `openapi.yaml` and `traffic.json`, which is gone afterwards. */
export async function inShop(test: (folder: string) => Promise<void>): Promise<void> {
  await inFolder({ "openapi.yaml": SHOP_DESCRIPTION, "traffic.json": SHOP_TRAFFIC }, test);
}

/** Runs `covtool report` with the files of such a folder. */
export async function reportShop(
  folder: string,
  options: readonly string[],
  host: FakeHostOptions = {},
): Promise<Ended> {
  const inputs = [`${folder}/openapi.yaml`, `${folder}/traffic.json`];
  return await runCovtool(["report", ...inputs, ...options], host);
}
