export interface StudyServer {
  /** The name of its adapter in `servers/`. */
  readonly name: string;
  readonly title: string;
  readonly framework: string;
  /** The package with its version, and others that the adapter needs. */
  readonly packages: readonly [string, ...string[]];
  /** Its own code, which is mutated: paths in `node_modules`. */
  readonly code: RegExp;
  /** True if one of its libraries is compiled on installation. */
  readonly compiled?: true;
}

/** Servers' dependencies have the versions of this day. */
export const INSTALLED_AS_OF = "2026-11-24";

/** The servers in the study. */
export const SERVERS: readonly StudyServer[] = [
  {
    name: "unleash-proxy",
    title: "Unleash Proxy (feature toggles)",
    framework: "Express 4, validated by @wesleytodd/openapi",
    packages: ["@unleash/proxy@1.4.9"],
    code: /^@unleash\/proxy\/dist\/(?!test\/|examples\/).*\.js$/,
  },
  {
    name: "better-auth",
    title: "Better Auth (accounts and sessions)",
    framework: "better-call",
    packages: ["better-auth@1.7.25"],
    code: /^better-auth\/dist\/(?:api|auth|context|cookies|db|utils)\/.*\.mjs$/,
  },
  {
    name: "soul",
    title: "Soul (REST over SQLite)",
    framework: "Express 4, validated by Joi",
    packages: ["soul-cli@0.8.2"],
    code: /^soul-cli\/src\/(?!swagger\/|tests\/).*(?<!\.test)\.js$/,
    compiled: true,
  },
  {
    name: "turborepo-remote-cache",
    title: "Turborepo Remote Cache (build artifacts)",
    framework: "Fastify 5",
    packages: ["turborepo-remote-cache@2.12.0", "@fastify/swagger@9"],
    code: /^turborepo-remote-cache\/dist\/.*\.js$/,
  },
  {
    name: "voltagent",
    title: "VoltAgent's server (workflows of agents)",
    framework: "Hono 4, validated by Zod",
    packages: ["@voltagent/server-hono@2.0.14", "zod@3"],
    // The handlers are in a package shared with servers of other frameworks.
    code: /^@voltagent\/server-core\/dist\/index\.mjs$/,
  },
  {
    name: "signalk",
    title: "Signal K (boats), its course API",
    framework: "Express 4, validated by its own code",
    packages: ["signalk-server@2.23.0"],
    code: /^signalk-server\/dist\/(?:api|serverstate)\/.*\.js$/,
  },
];

/** Servers that were examined but not used. */
export const LEFT_OUT: readonly { readonly name: string; readonly because: string }[] = [
  { name: "@asyncapi/cli", because: "it fetches a schema from the web when it starts" },
  {
    name: "homebridge-config-ui-x (Nest on Fastify)",
    because: "its operations restart the machine and install packages; no time to separate them",
  },
  { name: "ep_etherpad-lite", because: "npm has only a version of 2021" },
  { name: "@hyperledger/cactus-plugin-keychain-memory", because: "it has one operation" },
  { name: "@loopback/example-todo-list, eventgate", because: "npm has no such package" },
  { name: "verdaccio, json-server", because: "they have no description" },
  { name: "directus, strapi, n8n, nocodb", because: "too large for the time there was" },
  { name: "unleash-server, @backstage/*, parse-server", because: "they need a database" },
  { name: "Koa", because: "no server on npm was found that meets the criterion" },
];
