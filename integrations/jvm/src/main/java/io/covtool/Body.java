package io.covtool;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Copies the bytes of a body as they pass, up to the limit. */
final class Body {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long length;
  private boolean isTruncated;

  static Body of(byte[] bytes) {
    Body body = new Body();
    body.add(bytes, 0, bytes.length);
    return body;
  }

  synchronized void add(byte[] data, int offset, int count) {
    length += count;
    if (length <= Recorder.limit()) bytes.write(data, offset, count);
    else isTruncated = true;
  }

  /** Adds the remaining bytes of a buffer without moving its position. */
  void add(ByteBuffer buffer) {
    byte[] data = new byte[buffer.remaining()];
    buffer.duplicate().get(data);
    add(data, 0, data.length);
  }

  /** Removes all bytes, for another attempt. */
  synchronized void reset() {
    bytes.reset();
    length = 0;
    isTruncated = false;
  }

  synchronized long length() {
    return length;
  }

  synchronized boolean isTruncated() {
    return isTruncated;
  }

  /** Marks the body as incomplete. */
  synchronized void truncate() {
    isTruncated = true;
  }

  /** Returns the JSON member for the body, with a comma before it. */
  synchronized String toJson(List<Map.Entry<String, String>> headers) {
    if (isTruncated) return ", \"body_truncated\": true";
    byte[] data = bytes.toByteArray();
    String text = isText(headers) || data.length == 0 ? decode(data) : null;
    return text == null
        ? ", \"body_base64\": \"" + Base64.getEncoder().encodeToString(data) + '"'
        : ", \"body\": " + Json.quote(text);
  }

  private static boolean isText(List<Map.Entry<String, String>> headers) {
    for (Map.Entry<String, String> header : headers) {
      String name = header.getKey().toLowerCase(Locale.ROOT);
      String value = header.getValue().toLowerCase(Locale.ROOT);
      if (name.equals("content-encoding")) return false;
      if (!name.equals("content-type")) continue;
      int charset = value.indexOf("charset=");
      boolean isOther = charset >= 0 && !value.substring(charset + 8).replace("\"", "").startsWith("utf-8");
      if (isOther || value.startsWith("multipart/")) return false;
    }
    return true;
  }

  /** Returns the text; null if the bytes can't be restored from it. */
  private static String decode(byte[] data) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data)).toString();
      return text.indexOf('\0') >= 0 || text.startsWith("\ufeff") ? null : text;
    } catch (CharacterCodingException binary) {
      return null;
    }
  }
}
