/**
 * Sets the clock of a run that loads this module first: the variable `TEST_CLOCK` says when the run begins, such as
 * `2040-01-01T00:00:00Z`, and time goes on from there.
 */
import process from "node:process";
import { shiftClock } from "../shift_clock.ts";

const ahead = Date.parse(process.env["TEST_CLOCK"] ?? "") - Date.now();
if (Number.isNaN(ahead)) throw new TypeError("TEST_CLOCK has to be a date.");
shiftClock(ahead);
