// The floor of the command: a script that only parses both files.
import { readFileSync } from "node:fs";
import process from "node:process";

for (const path of process.argv.slice(2)) JSON.parse(readFileSync(path, "utf8"));
