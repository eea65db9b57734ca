/** A module of the runtime, looked up at run time so that the library loads without it; throws there. */
export function builtin<Module>(name: string): Module {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  };
  const module = process?.getBuiltinModule?.(name);
  if (module === undefined || module === null) {
    throw new Error(
      "nothing here gives access to files: Deno 2, Node.js 22.15 and Bun 1.2 do, browsers do not",
    );
  }
  return module as Module;
}
