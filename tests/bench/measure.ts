// Runs one measurement in its own process, and prints a line of JSON. See bench.ts.
import { print } from "../../scripts/print.ts";
import { type Part, PARTS } from "./parts.ts";

const [part = "", ...args] = Deno.args;
const measure = PARTS[part as Part] as ((...args: readonly string[]) => unknown) | undefined;
if (measure === undefined) throw new RangeError(`There is no measurement ${part}.`);
print(JSON.stringify(await measure(...args)));
