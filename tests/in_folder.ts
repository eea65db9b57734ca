/**
 * Runs a test in a temporary folder with these files.
 *
 * @param files Texts, bytes, and values to write as JSON, by path in the folder.
 */
export async function inFolder<Result>(
  files: Readonly<Record<string, unknown>>,
  test: (folder: string) => Promise<Result> | Result,
): Promise<Result> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "covtool" }));
  try {
    for (const [path, content] of Object.entries(files)) {
      const at = `${folder}/${path}`;
      await Deno.mkdir(at.replace(/\/[^/]*$/, ""), { recursive: true });
      if (content instanceof Uint8Array) await Deno.writeFile(at, content);
      else if (typeof content === "string") await Deno.writeTextFile(at, content);
      else await writeJson(at, content);
    }
    return await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The same in a folder that is the working directory during the test. */
export async function inWorkingFolder<Result>(
  files: Readonly<Record<string, unknown>>,
  test: (folder: string) => Promise<Result>,
): Promise<Result> {
  return await inFolder(files, async (folder) => {
    const before = Deno.cwd();
    Deno.chdir(folder);
    try {
      return await test(folder);
    } finally {
      Deno.chdir(before);
    }
  });
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(path, JSON.stringify(value));
}
