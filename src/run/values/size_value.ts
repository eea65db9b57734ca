import { message } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";

const SIZE = /^(\d+)\s*([kmg])?(?:i?b)?$/i;
const FACTORS: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** A number of bytes: `65536`, `64k`, `10M`, `1GiB`; all in powers of 1,024. */
export function sizeValue(): ValueParser<"sync", number> {
  return {
    mode: "sync",
    metavar: "BYTES",
    placeholder: 0,
    parse(input) {
      const [, digits, unit = ""] = SIZE.exec(input.trim()) ?? [];
      const value = Number(digits) * (FACTORS[unit.toLowerCase()] ?? 1);
      return value <= Number.MAX_SAFE_INTEGER ? { success: true, value } : {
        success: false,
        error: message`Expected a size such as 65536, 512k or 10M, but got ${input}.`,
      };
    },
    format: String,
  };
}
