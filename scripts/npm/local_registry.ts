import { runOrThrow } from "../run.ts";

/** A package registry on this machine. */
export interface LocalRegistry {
  /** Value of npm's option `registry`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an unpublished package from its tarball, as if it were published. */
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
        // npm looks here to find out whether the tarball contains npm-shrinkwrap.json.
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
