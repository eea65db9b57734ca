import assert from "node:assert/strict";
import { operationGaps } from "../../../src/report/html/app/model/gaps.ts";
import { countListed, listedGaps, makeSearch } from "../../../src/report/html/app/model/search.ts";
import type { Model } from "../../../src/report/html/app/model/model.ts";
import { sampleReport } from "../../browser/sample_report.ts";
import { pageModel } from "../page_model.ts";

const shop = (): Model => pageModel(sampleReport("shop"));
const ALL = { kinds: new Set<string>(), since: new Set<string>() };

function found(model: Model, text: string): string[] {
  const search = makeSearch(model, text, null);
  return model.operations.filter(search.operation).map(({ data }) => `${data.method} ${data.path}`);
}

Deno.test("makeSearch() finds operations by a concrete path or a full URL", () => {
  const model = shop();
  const books = ["GET", "PUT", "PATCH", "DELETE"].map((method) => `${method} /books/{book_id}`);
  for (
    const text of [
      "/books/42",
      "/api/v1/books/42",
      "/books/a%20b/",
      "/books/42?expand=1#top",
      "https://shop.example/api/v1/books/42?expand=1",
      "http://localhost:8080/staging/api/v1/books/42",
      "HTTPS://shop.example/api/books/42",
    ]
  ) {
    assert.deepEqual(found(model, text).filter((one) => books.includes(one)), books, text);
    assert.ok(found(model, text).every((one) => one.endsWith("/books/{book_id}")), text);
  }
  assert.deepEqual(found(model, "PUT /books/42"), ["PUT /books/{book_id}"]);
  assert.deepEqual(found(model, "https://shop.example/api/v1/nothing/here/at/all"), []);
});

Deno.test("makeSearch() finds operations by properties, schemas, statuses and keywords", () => {
  const model = shop();
  const [called] = model.operations.filter(({ parameters }) =>
    parameters.some(({ location, hits }) => location === "body" && hits > 0)
  );
  assert.ok(called);
  const names = (text: string) => makeSearch(model, text, null).operation(called);
  const gap = operationGaps(called).find(({ kind, pointer }) =>
    kind === "keyword" && pointer.includes("/properties/")
  );
  assert.ok(gap);
  const property = gap.pointer.slice(gap.pointer.lastIndexOf("/") + 1);
  assert.ok(names(property), property);
  assert.ok(names(`${property} ${gap.subject}`), gap.subject);
  const status = called.data.responses[0]?.status_code ?? "";
  assert.ok(names(status) && names(`${status[0]}xx`), status);
  assert.ok(!names("599") && !names("no-such-property"));
  assert.ok(!names("components"), "the pointers' own words are no names");
});

Deno.test("makeSearch() limits the gaps of an operation to those that match", () => {
  const model = shop();
  for (const text of ["never returned", "minLength", "404", "not covered"]) {
    const search = makeSearch(model, text, null);
    const listed = model.operations.flatMap((operation) =>
      listedGaps(operation, { ...ALL, search })
    );
    const all = model.operations.flatMap((operation) => operationGaps(operation));
    assert.ok(listed.length > 0 && listed.length < all.length, text);
    if (text === "404") assert.ok(listed.every(({ subject }) => subject === "404"));
    if (text === "minLength") assert.ok(listed.every(({ subject }) => subject === "minLength"));
  }
});

Deno.test("makeSearch() finds operations by their next steps", () => {
  const model = shop();
  const uncalled = model.operations.filter(({ data }) => data.hits === 0);
  assert.equal(found(model, "never called").length, uncalled.length);
  assert.ok(found(model, "send an invalid").length > 0);
});

Deno.test("makeSearch() keeps all gaps of an operation whose own name matches", () => {
  const model = shop();
  for (const text of ["", "/books/42", "https://x.example/api/v1/books/42"]) {
    const search = makeSearch(model, text, null);
    for (const operation of model.operations) {
      const isFound = text === "" || operation.data.path === "/books/{book_id}";
      assert.equal(
        countListed(operation, { ...ALL, search }),
        isFound ? operation.gaps.total : 0,
        `${text} ${operation.key}`,
      );
    }
  }
});
