// Writes generated traffic into a file, in a process of its own: what making it leaves on the heap is in nobody's way.
//
//     deno run -A make_traffic.ts DESCRIPTION OUTPUT FROM COUNT
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { TrafficGenerator } from "./generate_traffic.ts";

const [description = "", output = "", from = "0", count = "0"] = process.argv.slice(2);
const generator = new TrafficGenerator(
  JSON.parse(readFileSync(description, "utf8")),
  1 + Number(from),
);
const interactions = Array.from(
  { length: Number(count) },
  (_, at) => generator.interaction(Number(from) + at),
);
writeFileSync(output, JSON.stringify(interactions));
