// The apostrophe is allowed by erratum 6937 of RFC 6570.
const NOT_LITERAL =
  /[^!#$%&'()*+,\-./\w:;=?@[\]~\u{a0}-\u{d7ff}\u{e000}-\u{fdcf}\u{fdf0}-\u{ffef}\u{10000}-\u{10ffff}]/u;
const BROKEN_ESCAPE = /%(?![\da-fA-F]{2})/;
const OPERATOR = /^[+#./;?&=,!@|]/;
const MODIFIER = /(?:\*|:[1-9]\d{0,3})$/;
const NOT_NAME = /[^\w.%]|^\.|\.$|\.\.|^$/;

function isExpression(text: string): boolean {
  return text.replace(OPERATOR, "").split(",").every((variable) => {
    const name = variable.replace(MODIFIER, "");
    return !NOT_NAME.test(name) && !BROKEN_ESCAPE.test(name);
  });
}

/** `uri-template`: that of RFC 6570, section 2, of any level. */
export function isUriTemplate(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("{", at);
    const literal = text.slice(at, open < 0 ? text.length : open);
    if (NOT_LITERAL.test(literal) || BROKEN_ESCAPE.test(literal)) return false;
    if (open < 0) return true;
    const close = text.indexOf("}", open);
    if (close < 0 || !isExpression(text.slice(open + 1, close))) return false;
    at = close + 1;
  }
  return true;
}
