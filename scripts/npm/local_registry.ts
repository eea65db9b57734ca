import { runOrThrow } from "../run.ts";

/** A registry of packages on this machine. */
export interface LocalRegistry {
  /** Value of npm's option `registry`. */
  readonly url: string;
  /** Stops it. */
  close(): Promise<void>;
}

/** Serves a package that is not published yet as if it were, from its tarball. */
export async function serveRegistry(tarball: string): Promise<LocalRegistry> {
  const upstream = (await runOrThrow("npm", ["config", "get", "registry"])).trim().replace(
    /\/$/,
    "",
  );
  const bytes = await Deno.readFile(tarball);
  const manifest = JSON.parse(
    await runOrThrow("tar", ["-xzOf", tarball, "package/package.json"]),
  ) as { readonly name: string; readonly version: string };
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-512", bytes));
  const integrity = `sha512-${btoa(String.fromCharCode(...digest))}`;
  const { name, version } = manifest;
  const file = `/${name}/-/${name}-${version}.tgz`;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const { pathname, search, origin } = new URL(request.url);
    if (pathname === file) return new Response(bytes);
    if (pathname !== `/${name}`) return Response.redirect(upstream + pathname + search, 307);
    return Response.json({
      name,
      "dist-tags": { latest: version },
      versions: {
        // npm asks the registry whether the tarball says which versions to install.
        [version]: {
          ...manifest,
          _hasShrinkwrap: true,
          dist: { tarball: origin + file, integrity },
        },
      },
    });
  });
  return { url: `http://127.0.0.1:${server.addr.port}/`, close: () => server.shutdown() };
}
