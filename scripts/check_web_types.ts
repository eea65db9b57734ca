/**
 * Type-checks the core with web types only, so that no Deno or Node.js API slips in.
 *
 *     deno run -A scripts/check_web_types.ts
 *
 * @module
 */
import { finish } from "./print.ts";
import { ROOT, sourceFiles } from "./source_files.ts";

/** Parts that run on Deno and Node.js only. */
const PLATFORM = ["src/cli/", "src/entries/", "src/proxy/", "src/run/", "src/runners/"];

function coreModules(paths: readonly string[]): string[] {
  return paths.filter((path) =>
    (path.startsWith("src/") && !PLATFORM.some((part) => path.startsWith(part))) ||
    path === "mod.ts"
  );
}

/** Type-checks modules with the types of browsers only. */
export async function webTypeProblems(root: string, modules: readonly string[]): Promise<string[]> {
  const settings = JSON.parse(await Deno.readTextFile(`${root}/deno.json`)) as {
    readonly imports: unknown;
    readonly compilerOptions: Readonly<Record<string, unknown>>;
  };
  // The file must be in the project: Deno resolves imports relative to the folder of the configuration.
  const config = `${root}/.web_types_${Deno.pid}.json`;
  await Deno.writeTextFile(
    config,
    JSON.stringify({
      imports: settings.imports,
      nodeModulesDir: "none",
      compilerOptions: {
        ...settings.compilerOptions,
        lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
        types: [],
      },
    }),
  );
  try {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--no-lock", "--config", config, ...modules],
      cwd: root,
      env: { NO_COLOR: "1" },
    }).output();
    return code === 0 ? [] : [new TextDecoder().decode(stderr).trim()];
  } finally {
    await Deno.remove(config);
  }
}

if (import.meta.main) {
  const modules = coreModules(await sourceFiles(ROOT, [".ts", ".tsx"]));
  finish("types of the web alone", await webTypeProblems(ROOT, modules));
}
