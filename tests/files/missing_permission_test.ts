import assert from "node:assert/strict";
import { cwd } from "node:process";
import { missingPermission } from "../../src/files/missing_permission.ts";

function denied(message: string): Error {
  return Object.assign(new Error(message), { name: "NotCapable" });
}

const AGAIN = ", run again with the --allow-read flag";

Deno.test("missingPermission() returns a sentence with the option for what Deno denies", () => {
  for (
    const [message, sentence] of [
      [
        `Requires read access to "${cwd()}/a.yaml"${AGAIN}`,
        "read access to a.yaml: add --allow-read=a.yaml",
      ],
      [`Requires read access to "${cwd()}"${AGAIN}`, "read access to .: add --allow-read=."],
      [`Requires read access to <CWD>${AGAIN}`, "read access to .: add --allow-read=."],
      ['Requires write access to "/tmp/b"', "write access to /tmp/b: add --allow-write=/tmp/b"],
      [
        `Requires read access to "/a b, c"${AGAIN}`,
        "read access to /a b, c: add '--allow-read=/a b,, c'",
      ],
      [
        `Requires read access to "/it's"${AGAIN}`,
        "read access to /it's: add '--allow-read=/it'\\''s'",
      ],
      ['Requires net access to "[::1]:80"', "net access to [::1]:80: add '--allow-net=[::1]:80'"],
      ["Requires env access, run", "env access: add --allow-env"],
      ['Requires sys access to "uid", run', "sys access to uid: add --allow-sys=uid"],
    ] as const
  ) {
    assert.equal(
      missingPermission(denied(message)),
      `Deno doesn't permit ${sentence} to its options.`,
    );
  }
  assert.match(
    missingPermission(denied(
      "Requires --allow-run permissions to spawn subprocess with LD_PRELOAD environment variable. Alternatively, …",
    )) ?? "",
    /LD_PRELOAD only to commands .* add --allow-run to its options, or unset LD_PRELOAD\.$/,
  );
});

Deno.test("missingPermission() returns a sentence with the option for what Node.js denies", () => {
  for (
    const [permission, resource, sentence] of [
      ["FileSystemRead", "/a.yaml", "read access to /a.yaml: add --allow-fs-read=/a.yaml"],
      ["FileSystemWrite", "/b.html", "write access to /b.html: add --allow-fs-write=/b.html"],
      ["FileSystemWrite", "", "write access: add --allow-fs-write"],
      ["ChildProcess", "/bin/sh", "child process access: add --allow-child-process"],
      ["WorkerThreads", "", "worker access: add --allow-worker"],
      ["Net", "localhost:80", "net access: add --allow-net"],
    ]
  ) {
    const error = Object.assign(new Error("Access to this API has been restricted."), {
      ...{ code: "ERR_ACCESS_DENIED", permission, resource },
    });
    assert.equal(missingPermission(error), `Node.js doesn't permit ${sentence} to its options.`);
  }
});

Deno.test("missingPermission() looks into the causes of an error, but not at its text", () => {
  const denial = denied('Requires read access to "/a"');
  assert.match(missingPermission(new Error("a", { cause: denial })) ?? "", /--allow-read=\/a /);
  assert.match(missingPermission(new AggregateError([1, denial])) ?? "", /--allow-read=\/a /);
  assert.equal(missingPermission(new Error('Requires read access to "/a"')), undefined);
  assert.equal(missingPermission("NotCapable"), undefined);
});
