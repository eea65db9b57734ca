/**
 * Runs a test in a new folder with these files, which is gone afterwards.
 *
 * @param files The texts by the paths in the folder.
 */
export async function inFolder<Result>(
  files: Readonly<Record<string, string>>,
  test: (folder: string) => Promise<Result> | Result,
): Promise<Result> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "covtool" }));
  try {
    for (const [path, text] of Object.entries(files)) {
      const at = `${folder}/${path}`;
      await Deno.mkdir(at.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(at, text);
    }
    return await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
