import { ROOT } from "../scripts/source_files.ts";
import { PYTHON } from "./recorders/python_project.ts";

/** Python modules that the bookshop's server needs. */
export const BOOKSHOP_MODULES = "fastapi, uvicorn, python_multipart";

/** Starts the bookshop's server on a free port. */
export async function startBookshop(): Promise<AsyncDisposable & { readonly origin: string }> {
  const shop = new Deno.Command(PYTHON, {
    args: ["-m", "uvicorn", "server:app", "--port", "0", "--no-access-log"],
    cwd: `${ROOT}/examples/bookshop`,
    env: { PYTHONDONTWRITEBYTECODE: "1" },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const address = Promise.withResolvers<string>();
  let said = "";
  const reading = shop.stderr.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(text) {
        said += text;
        const [, found] = /running on (http:\/\/\S+)/.exec(said) ?? [];
        if (found !== undefined) address.resolve(found);
      },
      close: () => address.reject(new Error(said)),
    }),
  );
  return {
    origin: await address.promise,
    async [Symbol.asyncDispose]() {
      shop.kill();
      await shop.status;
      await reading;
    },
  };
}
