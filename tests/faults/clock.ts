/**
 * Sets the clock of a program that preloads this module: the variable `TEST_CLOCK` is the time when the program begins,
 * such as `2040-01-01T00:00:00Z`, and the clock runs on from there.
 */
import process from "node:process";
import { shiftClock } from "../shift_clock.ts";

const ahead = Date.parse(process.env["TEST_CLOCK"] ?? "") - Date.now();
if (Number.isNaN(ahead)) throw new TypeError("TEST_CLOCK has to be a date.");
shiftClock(ahead);
