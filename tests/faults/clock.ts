/**
 * Sets the clock of a run that loads this module first: the variable `CLOCK` says when the run begins, such as
 * `2040-01-01T00:00:00Z`, and time goes on from there.
 *
 * Only dates are of that time. Timers are what they were, as on a machine whose clock is wrong.
 */
import process from "node:process";

const RealDate = Date;
const ahead = RealDate.parse(process.env["CLOCK"] ?? "") - RealDate.now();
if (Number.isNaN(ahead)) throw new TypeError("CLOCK has to be a date.");

globalThis.Date = new Proxy(RealDate, {
  // Called as a function, it gives the time as text.
  apply: () => new RealDate(RealDate.now() + ahead).toString(),
  construct: (_date, given, target) =>
    Reflect.construct(RealDate, given.length > 0 ? given : [RealDate.now() + ahead], target),
  get: (date, name) => name === "now" ? () => RealDate.now() + ahead : Reflect.get(date, name),
});
