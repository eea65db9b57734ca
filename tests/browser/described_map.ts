import { CoverageMap, type LoadMapOptions } from "../../mod.ts";
import { ATTACK } from "./sample_report.ts";

/** Seconds since 1970 at which the traffic of these maps begins. */
const START = 1_700_000_000;

const ENTRY = `openapi: 3.1.0
info:
  title: Library
  version: 1.0.0
paths:
  /books:
    get:
      tags: [books]
      operationId: listBooks
      parameters:
        - name: limit
          in: query
          schema:
            type: integer
            minimum: 1
            maximum: 100
            default: 10
        - name: genre
          in: query
          schema:
            type: string
            enum: [novel, poetry]
      responses:
        "200":
          description: Books
        "400":
          description: Wrong
    post:
      tags: [books]
      operationId: addBook
      requestBody:
        content:
          application/json:
            schema:
              $ref: "#/components/schemas/Book"
      responses:
        "201":
          description: Added
  /books/{id}:
    delete:
      tags: [books]
      operationId: removeBook
      parameters:
        - name: id
          in: path
          required: true
          schema: { type: string, format: uuid }
      responses:
        "204":
          description: Gone
  /attacks:
    get:
      parameters:
        - name: q
          in: query
          example: ${JSON.stringify(ATTACK)}
          schema:
            type: string
            enum: [${JSON.stringify(ATTACK)}]
      responses: {}
components:
  schemas:
    Book:
      type: object
      required: [title]
      properties:
        title:
          type: string
          maxLength: 40 # ${ATTACK.replaceAll("\u0000", "").replaceAll("\u2028", "")}
        author:
          $ref: "people.yaml#/Person"
        reviewer:
          $ref: "people.yaml#/Person"
`;

const PEOPLE = `Person:
  type: object
  properties:
    name:
      type: string
      minLength: 2
`;

const HOST = "http://localhost";
const TESTS = ["books > lists them", "books > refuses long titles", ATTACK] as const;

function post(body: unknown): Parameters<CoverageMap["record"]>[0] {
  return {
    method: "POST",
    url: `${HOST}/books`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** A map of a description in two YAML files, with traffic that has test names and times. */
export async function describedMap(options: LoadMapOptions = {}): Promise<CoverageMap> {
  const folder = await Deno.makeTempDir({ prefix: "covtool-described-" });
  try {
    await Deno.writeTextFile(`${folder}/library.yaml`, ENTRY);
    await Deno.writeTextFile(`${folder}/people.yaml`, PEOPLE);
    const map = await CoverageMap.fromPath(`${folder}/library.yaml`, options);
    const answer = (status_code: number): { status_code: number; elapsed: number } => ({
      status_code,
      elapsed: 0.012,
    });
    map.record({ method: "GET", url: `${HOST}/books` }, answer(200), START, TESTS[0]);
    map.record({ method: "GET", url: `${HOST}/books?limit=5` }, answer(200), START + 10, TESTS[0]);
    map.record(post({ title: "Solaris" }), answer(201), START + 20, TESTS[1]);
    map.record(post({ title: "S".repeat(41) }), answer(400), START + 40, TESTS[1]);
    map.record(
      post({ title: "Fiasco", author: { name: "Lem" } }),
      answer(201),
      START + 60,
      TESTS[2],
    );
    map.record({ method: "GET", url: `${HOST}/attacks?q=x` }, answer(200), START + 70);
    map.record(
      {
        method: "GET",
        url: `${HOST}/attacks`,
        headers: { "content-type": ATTACK.replace(";", "") },
        body: ATTACK,
      },
      answer(200),
      START + 70,
    );
    return map;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The 1-based line of a text in the entry document or the other file. */
export function findLine(text: string): number {
  const lines = (ENTRY.includes(text) ? ENTRY : PEOPLE).split("\n");
  return lines.findIndex((line) => line.includes(text)) + 1;
}
