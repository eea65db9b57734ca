package io.covtool;

import java.util.HexFormat;

/** Texts as JSON. */
final class Json {
  private Json() {}

  static String quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int index = 0; index < text.length(); index++) {
      char letter = text.charAt(index);
      if (letter == '"' || letter == '\\') quoted.append('\\').append(letter);
      else if (letter == '\n') quoted.append("\\n");
      else if (letter < ' ' || Character.isSurrogate(letter) || letter == 0x7f) {
        quoted.append("\\u").append(HexFormat.of().toHexDigits(letter));
      } else quoted.append(letter);
    }
    return quoted.append('"').toString();
  }
}
