const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME =
  /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:[zZ]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const DURATION_DATE = /^(?:\d+D|\d+M(?:\d+D)?|\d+Y(?:\d+M(?:\d+D)?)?)$/;
const DURATION_TIME = /^(?:\d+S|\d+M(?:\d+S)?|\d+H(?:\d+M(?:\d+S)?)?)$/;

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** `date`: the `full-date` of RFC 3339, section 5.6. */
export function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** `time`: the `full-time` of RFC 3339, section 5.6. A leap second can only be at 23:59:60 UTC. */
export function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [, hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] = match;
  if (second !== "60") return true;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const utc = Number(hour) * 60 + Number(minute) - offset;
  return (utc + 1440) % 1440 === 1439;
}

/** `date-time`: that of RFC 3339, section 5.6. */
export function isDateTime(text: string): boolean {
  const separator = text[10];
  return (separator === "T" || separator === "t") && isDate(text.slice(0, 10)) &&
    isTime(text.slice(11));
}

/** `duration`: that of RFC 3339, appendix A. */
export function isDuration(text: string): boolean {
  if (!text.startsWith("P")) return false;
  if (text.endsWith("W")) return /^P\d+W$/.test(text);
  const separator = text.indexOf("T");
  if (separator < 0) return DURATION_DATE.test(text.slice(1));
  return (separator === 1 || DURATION_DATE.test(text.slice(1, separator))) &&
    DURATION_TIME.test(text.slice(separator + 1));
}
