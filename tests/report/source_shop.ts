import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import { inFolder } from "../in_folder.ts";

/** The description in `openapi.yaml`. Tests use line numbers of this text. */
export const SOURCE_DESCRIPTION = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /books:
    parameters:
      - $ref: "#/components/parameters/Trace"
    get:
      parameters:
        - name: limit
          in: query
          example: 10
          schema:
            type: integer
            maximum: 100
        - { name: sort, in: query, example: title, schema: { type: string, enum: [title] } }
      responses:
        "200": { description: Books }
        "404":
          description: None
    post:
      requestBody:
        content:
          application/json:
            schema: { $ref: "common/book.json#/Book" }
      responses:
        "201": { description: Created }
  /books/{id}:
    delete:
      responses:
        "204": { description: Gone }
components:
  parameters:
    Trace:
      name: X-Trace
      in: header
      schema:
        type: string
        minLength: 3
`;

/** The file `common/book.json`, to which the description refers. */
export const SOURCE_BOOK = `{
  "Book": {
    "type": "object",
    "required": ["title"],
    "properties": {
      "title": {
        "type": "string",
        "maxLength": 5
      }
    }
  }
}
`;

/** Runs a test with the map of the shop after three requests with the limit of the books. */
export async function withSourceShop(
  test: (map: CoverageMap, folder: string) => Promise<void> | void,
): Promise<void> {
  const files = { "openapi.yaml": SOURCE_DESCRIPTION, "common/book.json": SOURCE_BOOK };
  await inFolder(files, async (folder) => {
    const map = await CoverageMap.fromPath(`${folder}/openapi.yaml`);
    for (const limit of [5, 50, 500]) {
      map.record(
        { method: "GET", url: `http://localhost/books?limit=${limit}`, headers: {} },
        { status_code: 200 },
      );
    }
    map.record({
      method: "GET",
      url: "http://localhost/books?sort=title",
      headers: { "X-Trace": "abc" },
    }, { status_code: 200 });
    await test(map, folder);
  });
}
