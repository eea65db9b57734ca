/** What a compiled program is to be asked about: the names of permissions, `sys` with the kind of it. */
const ASKED = [
  ...["read", "write", "net", "env", "run", "ffi", "import"].map((name) => ({ name })),
  ...["hostname", "homedir", "uid", "gid", "username", "networkInterfaces", "osRelease", "cpus"]
    .map((kind) => ({ name: "sys", kind })),
];

/** What the program may do; everything else has to be denied. */
export const EXPECTED: readonly string[] = [
  ...["read", "write", "net", "env", "run"],
  ...["sys hostname", "sys homedir", "sys uid", "sys gid"],
];

/** The text of a module that prints what it may do, as a list in JSON. */
export function askingModule(): string {
  return `const granted = ${JSON.stringify(ASKED)}.filter((asked) =>
  Deno.permissions.querySync(asked).state === "granted"
);
console.log(JSON.stringify(granted.map(({ name, kind }) => kind === undefined ? name : name + " " + kind)));
`;
}
