package io.covtool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Writes strings as JSON, and parses JSON. */
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

  /** Parses JSON to maps, lists, strings and numbers. */
  static Object read(String text) {
    return new Reader(text).value();
  }

  private static final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
    }

    Object value() {
      skipSpace();
      char first = text.charAt(at);
      if (first == '"') return string();
      if (first == '[' || first == '{') return first == '[' ? list() : object();
      int start = at;
      while (at < text.length() && "+-.0123456789Eaeflnrstu".indexOf(text.charAt(at)) >= 0) at++;
      String word = text.substring(start, at);
      return Character.isLetter(first) ? word : (Object) Double.valueOf(word);
    }

    private void skipSpace() {
      while (Character.isWhitespace(text.charAt(at))) at++;
    }

    /** Consumes the next character if it is this one; returns whether it is. */
    private boolean takes(char letter) {
      skipSpace();
      if (text.charAt(at) != letter) return false;
      at++;
      return true;
    }

    private List<Object> list() {
      List<Object> items = new ArrayList<>();
      at++;
      while (!takes(']')) {
        items.add(value());
        takes(',');
      }
      return items;
    }

    private Map<String, Object> object() {
      Map<String, Object> members = new HashMap<>();
      at++;
      while (!takes('}')) {
        skipSpace();
        String name = string();
        takes(':');
        members.put(name, value());
        takes(',');
      }
      return members;
    }

    private String string() {
      StringBuilder letters = new StringBuilder();
      for (at++; text.charAt(at) != '"'; at++) {
        if (text.charAt(at) != '\\') {
          letters.append(text.charAt(at));
          continue;
        }
        char escaped = text.charAt(++at);
        if (escaped == 'u') {
          letters.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
          at += 4;
        } else {
          int known = "bfnrt".indexOf(escaped);
          letters.append(known < 0 ? escaped : "\b\f\n\r\t".charAt(known));
        }
      }
      at++;
      return letters.toString();
    }
  }
}
