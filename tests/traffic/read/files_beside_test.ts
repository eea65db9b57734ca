import assert from "node:assert/strict";
import type { HttpRequest } from "../../../src/http/interaction.ts";
import { RecordingImporter } from "../../../src/coverage_map/recording_importer.ts";
import { inFolder } from "../../in_folder.ts";

const NAME = `${"0123456789".repeat(4)}.json`;

/** Reads an archive in a folder, whose requests name these files as bodies. Returns the bodies. */
async function readBodies(names: readonly string[]): Promise<unknown[]> {
  const requests: HttpRequest[] = [];
  const target = { record: (request: HttpRequest): void => void requests.push(request) };
  const entries = names.map((name) => ({
    request: {
      method: "POST",
      url: "http://localhost/books",
      headers: [{ name: "Content-Type", value: "application/json" }],
      postData: { mimeType: "application/json", text: "", params: [], _file: name },
    },
    response: { status: 201 },
  }));
  const files = {
    [`har #1/${NAME}`]: '{"title":"Momo"}',
    "har #1/notes.json": "private",
    "har #1/shop.har": { log: { entries } },
  };
  return await inFolder(files, async (folder) => {
    const importer = new RecordingImporter(target, "archive", () => ({
      within: (action) => action(),
      end: () => {},
    }));
    const { warnings } = await importer.recordFromPath(`${folder}/har #1/shop.har`);
    const isSaid = warnings.some((warning) =>
      /the file that holds a body is missing/.test(warning)
    );
    assert.equal(isSaid, names.some((name) => name !== NAME));
    return requests.map(({ body, body_truncated }) =>
      body instanceof Uint8Array ? new TextDecoder().decode(body) : body_truncated
    );
  });
}

Deno.test("bodies in files beside Playwright's archive are found", async () => {
  assert.deepEqual(await readBodies([NAME, NAME]), ['{"title":"Momo"}', '{"title":"Momo"}']);
});

Deno.test("an archive can't refer to other files, and missing bodies count as not recorded", async () => {
  const gone = NAME.replace("0", "f");
  assert.deepEqual(await readBodies(["notes.json", `./${NAME}`, gone]), [true, true, true]);
});
