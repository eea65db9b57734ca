import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fails, succeeds } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { inFolder, inWorkingFolder } from "../in_folder.ts";
import { shopApi } from "../shop_api.ts";

const DESCRIPTION = shopApi({
  "/books": {
    get: {
      operationId: "listBooks",
      parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 9 } }],
      responses: { 200: { description: "Books" }, 404: { description: "None" } },
    },
  },
  "/books/{id}": {
    get: {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      responses: { 200: { description: "A book" } },
    },
  },
}, { openapi: "3.0.3" });

async function withBooks(run: () => Promise<void>): Promise<void> {
  const interactions = [{
    request: { method: "GET", url: "https://shop.example/api/books/77" },
    response: { status_code: 200 },
  }];
  await inWorkingFolder({ "openapi.json": DESCRIPTION, "traffic.json": { interactions } }, run);
}

/** Runs `covtool suggest` for the description with a line of options. */
async function suggest(options: string) {
  return await runCovtool(`suggest openapi.json --no-config --no-values ${options}`, {
    variables: { COLUMNS: "500" },
  });
}

Deno.test("suggest writes the requests that close the most gaps first, and a summary", async () => {
  await withBooks(async () => {
    const { out, err } = await succeeds(suggest(
      "--server http://localhost:3000 --format curl --operation listBooks",
    ));
    assert.deepEqual(out.split("\n").filter((line) => line.startsWith("curl")), [
      "curl 'http://localhost:3000/books?limit=9'",
      "curl 'http://localhost:3000/books?limit=text'",
      "curl 'http://localhost:3000/books?limit=10'",
    ]);
    assert.equal(err, "3 requests close 6 gaps. None was found for 1 gap.\n");
  });
});

Deno.test("suggest sends requests to where most of the traffic went", async () => {
  await withBooks(async () => {
    const { out } = await suggest("traffic.json --base-path /api --format json");
    const { interactions } = JSON.parse(out);
    assert.equal(interactions[0].request.url, "https://shop.example/api/books?limit=9");
    assert(!out.includes("/books/"));
  });
});

Deno.test("suggest writes a file, but never over its inputs", async () => {
  await withBooks(async () => {
    const server = "--server http://localhost:3000";
    const written = await suggest(`${server} --format http -o requests.http`);
    assert.equal(written.out, "");
    assert.match(await Deno.readTextFile("requests.http"), /^### GET \/books/);
    await fails(suggest(`${server} -o openapi.json`), /would overwrite/);
  });
});

Deno.test("suggest writes $SERVER if no host is known, like reports", async () => {
  await withBooks(async () => {
    const { out } = await succeeds(suggest("--format curl"));
    const commands = out.match(/^curl .*$/gm) ?? [];
    assert.ok(commands.length > 0);
    for (const command of commands) assert.match(command, /"\$SERVER"/);
    assert.doesNotMatch(out, /server\.invalid/);
  });
});

Deno.test("suggest explains missing and unknown options", async () => {
  await withBooks(async () => {
    const wrong: readonly [string, RegExp][] = [
      ["--format har", /names no server with a host\. Say where requests go: --server http/],
      ["--format json", /names no server with a host\. Say where requests go: --server http/],
      ["--server localhost:3000", /is not a URL/],
      ["--server http://localhost --operation listBoks", /Did you mean "listBooks"\?/],
      ["--server http://localhost --format htp", /Did you mean http\?/],
      ["--server http://localhost --kinds keyword", /Unknown kind of gaps/],
      ["--server http://localhost/v9 --base-path /v1", /match no operation/],
    ];
    for (const [args, message] of wrong) {
      const { code, err } = await suggest(args);
      assert.equal(code, 1, args);
      assert.match(err, message);
    }
  });
});

Deno.test("suggest writes a reproducible test file per tag, and keeps existing files", async () => {
  await withBooks(async () => {
    const first = await succeeds(suggest("--format vitest -o tests/api"));
    assert.equal(first.out, "");
    assert.match(first.err, /\nTests: 1 file in tests\/api\n$/);
    const file = "tests/api/books.test.ts";
    const text = await Deno.readTextFile(file);
    assert.match(text, /^test\("GET \/books refuses more than 9 for limit", /m);
    assert.match(text, /"Set API_URL to the URL of the API, such as http:\/\/localhost:3000\."/);

    await Deno.writeTextFile(file, "// mine\n");
    const second = await succeeds(suggest("--format vitest -o tests/api"));
    assert.ok(second.err.endsWith(`\n${file} exists and is left alone.\n`), second.err);
    assert.equal(await Deno.readTextFile(file), "// mine\n");

    const { err } = await suggest("--format vitest -o all.test.ts");
    assert.match(err, /\nTests: all\.test\.ts\n$/);
    assert.equal(await Deno.readTextFile("all.test.ts"), text);
    assert.equal((await suggest("--format vitest")).out, text);
  });
});

Deno.test("suggest names a JUnit class after its file, and says where it can't write", async () => {
  await withBooks(async () => {
    await suggest("--format junit -o ShopTest.java");
    assert.match(await Deno.readTextFile("ShopTest.java"), /^class ShopTest \{$/m);
    await fails(
      suggest("--format junit -o ShopTest.java/tests"),
      /Cannot write .+BooksTest\.java: A folder of this path is a file: check the path\./,
    );
    await fails(
      suggest("--format junit -o openapi.json"),
      /Cannot write .+BooksTest\.java: A folder of this path is a file: check the path\./,
    );
  });
});

Deno.test("suggest shortens tags that are too long for a file name", () =>
  inWorkingFolder({
    "openapi.json": shopApi({
      "/a": { get: { tags: ["雪 ".repeat(200)], responses: { 200: {} } } },
    }),
  }, async () => {
    const { err } = await succeeds(suggest("--format pytest -o tests"));
    assert.match(err, /\nTests: 1 file in tests\n$/);
    assert.deepEqual(Array.from(Deno.readDirSync("tests"), ({ name }) => name), [
      `test_${"雪_".repeat(29)}雪.py`,
    ]);
  }));

Deno.test("tests of tags whose files have one name go to one file", () =>
  inWorkingFolder({
    "openapi.json": shopApi({
      "/apikeys": { get: { responses: { 200: {} } } },
      "/keys": { get: { tags: ["API keys"], responses: { 200: {} } } },
    }),
  }, async () => {
    // Java's `ApiKeysTest` and `ApikeysTest` are one file where names have no case.
    for (const [format, file] of [["go-test", "apikeys_test.go"], ["junit", "ApikeysTest.java"]]) {
      const { err } = await succeeds(suggest(`--format ${format} -o ${format}`));
      assert.match(err, /\nTests: 1 file in .+\n$/);
      const text = await Deno.readTextFile(`${format}/${file}`);
      assert.match(text, /GET \/apikeys [^]*GET \/keys /);
    }
  }));

Deno.test("suggest writes no file without tests", async () => {
  await withBooks(async () => {
    const { err } = await succeeds(suggest("--format vitest --kinds examples -o none.test.ts"));
    assert.equal(err, "0 requests close 0 gaps.\n");
    assert.ok(!existsSync("none.test.ts"));
  });
});

Deno.test("a form with a line break that FormData would change isn't written as a fetch test", async () => {
  for (const [text, isLeftOut] of [["one\ntwo", true], ["one\r\ntwo", false]] as const) {
    const schema = { type: "object", properties: { note: { enum: [text] } } };
    const requestBody = { content: { "multipart/form-data": { schema } } };
    const files = {
      "openapi.json": shopApi({ "/notes": { post: { requestBody, responses: {} } } }),
    };
    await inWorkingFolder(files, async () => {
      const { err } = await suggest("--format vitest --server http://localhost:3000");
      assert.equal(/vitest cannot send 1 request, left out\./.test(err), isLeftOut, err);
    });
  }
});

Deno.test("tests for REST Assured set the charset of text that isn't JSON", async () => {
  const note = { enum: ["\u65e5"] };
  const requestBody = {
    content: {
      "text/plain": { schema: { type: "string", ...note } },
      "multipart/form-data": {
        schema: { type: "object", properties: { note, plain: { const: "a" } } },
      },
    },
  };
  const files = { "openapi.json": shopApi({ "/notes": { post: { requestBody, responses: {} } } }) };
  await inWorkingFolder(files, async () => {
    const { out } = await suggest("--format junit --server http://localhost:3000");
    assert.ok(out.includes('.contentType("text/plain; charset=UTF-8")'), out);
    assert.ok(out.includes('.multiPart("note", "\u65e5", "text/plain; charset=UTF-8")'), out);
    assert.ok(out.includes('.multiPart("plain", "a")'), out);
  });
});

Deno.test("suggestions name the closest test, with its line if its file is available", async () => {
  const sent = (url: string, name: string, file: string) => ({
    request: { method: "GET", url: `http://localhost:3000${url}` },
    response: { status_code: 200 },
    test: { name, file },
  });
  const interactions = [
    sent("/books", "lists books", "tests/books.test.ts"),
    sent("/books?limit=2", "books > lists two", "tests/books.test.ts"),
    sent("/books/7", "test_book[7]", "../tests/test_book.py"),
  ];
  const files = {
    "openapi.json": DESCRIPTION,
    "traffic.json": { interactions },
    "tests/books.test.ts": 'test("lists books", …);\n\n  test("lists two", …);\n',
  };
  await inWorkingFolder(files, async () => {
    const { out } = await suggest("traffic.json");
    assert.deepEqual(
      [...out.matchAll(/(GET \S+): .*[^]*?(Extend .*)/g)].map(([, ...found]) => found),
      [
        ["GET /books", "Extend `books > lists two` in tests/books.test.ts:3."],
        ["GET /books", "Extend `books > lists two` in tests/books.test.ts:3."],
      ],
    );
    for (const format of ["text", "markdown"]) {
      const report = `report openapi.json traffic.json --no-config --format ${format}`;
      const { out } = await runCovtool(report);
      assert.match(out, /^# Extend `books > lists two` in tests\/books\.test\.ts:3\.$/m);
    }
    for (
      const [file, name, text] of [
        [
          "test_books.py",
          "TestBooks::test_lists[a.b::c]",
          "# test_lists\ndef test_lists(self, x):",
        ],
        ["books_test.go", "TestLists", "func TestListsAll(…\nfunc TestLists(t *testing.T) {"],
        ["books_test.go", "TestLists", "// TestLists lists\nfunc TestLists(t *testing.T) {"],
        ["books.test.ts", "lists books", "test('lists books of all', …);\ntest('lists books', …);"],
        ["books.test.ts", "lists 2 books", "test.each([2])(\n  `lists ${n} books, lists 2 books`,"],
        ["BooksTest.java", "BooksTest.lists(int) [1]", "// lists\n  void lists(int limit) {"],
      ] as const
    ) {
      const test = {
        name: file.endsWith(".py") ? `tests/${file}::${name}` : name,
        file: `tests/${file}`,
      };
      await Deno.writeTextFile(`tests/${file}`, text);
      await Deno.writeTextFile(
        "traffic.json",
        JSON.stringify({ interactions: [{ ...interactions[0], test }] }),
      );
      const { out } = await suggest("traffic.json");
      assert.ok(out.includes(`Extend \`${name}\` in tests/${file}:2.`), out);
    }
  });
});

Deno.test("files outside of the working directory are not searched for tests", async () => {
  const request = { method: "GET", url: "http://localhost:3000/books" };
  const interactions = [{ request, test: { name: "lists", file: "../outside.test.ts" } }];
  await inFolder({ "outside.test.ts": 'test("lists")' }, async (folder) => {
    const inner = {
      "openapi.json": DESCRIPTION,
      "traffic.json": {
        interactions: interactions.map((one) => ({
          ...one,
          test: { ...one.test, file: join(folder, "outside.test.ts") },
        })),
      },
    };
    await inWorkingFolder(inner, async () => {
      const { out } = await suggest("traffic.json");
      assert.match(out, /Extend `lists` in \S+outside\.test\.ts\.$/m);
    });
  });
});
