package io.covtool;

import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request with its response, as a line of the protocol. */
final class Exchange {
  private static final String ADDED_BY_SERVER = "\"response_headers\": {\"all_but\": [\"connection\", "
      + "\"content-length\", \"date\", \"keep-alive\", \"transfer-encoding\"";

  /** Fields that a server adds after the application. */
  static final String SERVER_HEADERS = ADDED_BY_SERVER + "]}";

  private static final String ERROR_PAGE = ADDED_BY_SERVER + ", \"content-type\"]}, \"response_body\": false";

  private final Instant at = Instant.now();
  private final long start = System.nanoTime();
  private final RunningTest test;
  private final AtomicBoolean isWritten = new AtomicBoolean();
  final List<Map.Entry<String, String>> requestHeaders = new ArrayList<>();
  final List<Map.Entry<String, String>> responseHeaders = new ArrayList<>();
  final String method;
  final String url;

  /** A request that follows from another, as after a redirect. */
  Exchange(Exchange first, String method, String url) {
    this.method = method;
    this.url = url;
    test = first.test;
  }

  /** The body that is sent; null for none. */
  volatile Body sent;

  volatile Body received = new Body();

  /** The status; 0 where no response came. */
  volatile int status;

  /** What the recorder could not see, as members of JSON. */
  String unseen = "";

  /** True where a client of this process sends it, so that a server of it need not record it. */
  volatile boolean isOfClient;

  private volatile double elapsed;

  Exchange(String method, String url) {
    this.method = method;
    this.url = url;
    test = RunningTest.current();
  }

  static void add(List<Map.Entry<String, String>> headers, String name, String value) {
    headers.add(Map.entry(name, value == null ? "" : value));
  }

  /** What client and server of one process know a request by. */
  String key() {
    return method + ' ' + url.substring(url.indexOf("//") + 2).toLowerCase(Locale.ROOT);
  }

  /** A URL as it is sent: without user and fragment. */
  static String plainUrl(URI uri) {
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    String host = uri.getHost() == null ? uri.getRawAuthority() : uri.getHost() + port;
    return uri.getScheme() + "://" + host + path + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
  }

  /** The length of the request's body that its header fields tell; -1 where they don't. */
  long requestLength() {
    for (Map.Entry<String, String> header : requestHeaders) {
      if (header.getKey().equalsIgnoreCase("Content-Length")) return Long.parseLong(header.getValue().trim());
    }
    return -1;
  }

  /** Says that a server writes the body of an error, past the application. */
  void leaveBodyToServer() {
    unseen = ERROR_PAGE;
  }

  /** Ends an exchange of a test that is over: what is open of its body is not read any more. */
  void endWith(RunningTest ended) {
    if (test != ended || status == 0) return;
    received.truncate();
    finish();
  }

  /** Writes the line, once. */
  void finish() {
    if (!isWritten.compareAndSet(false, true)) return;
    elapsed = (System.nanoTime() - start) / 1e9;
    Recorder.write(this);
  }

  /** True once the line is written. */
  boolean isOver() {
    return isWritten.get();
  }

  /** Ends without a line: nothing was sent. */
  void discard() {
    if (isWritten.compareAndSet(false, true)) Recorder.forget(this);
  }

  String toJson(boolean withResponseBody) {
    StringBuilder line = new StringBuilder("{\"request\": {\"method\": ").append(Json.quote(method));
    line.append(", \"url\": ").append(Json.quote(url)).append(", ").append(pairs(requestHeaders));
    if (sent != null) line.append(sent.toJson(requestHeaders));
    line.append('}');
    if (status > 0) {
      if (!isWritten.get()) received.truncate();
      line.append(", \"response\": {\"status_code\": ").append(status);
      if (isWritten.get()) line.append(", \"elapsed\": ").append(elapsed);
      line.append(", ").append(pairs(responseHeaders));
      if (withResponseBody && !unseen.equals(ERROR_PAGE)) line.append(received.toJson(responseHeaders));
      line.append('}');
    }
    line.append(", \"timestamp\": ").append(at.getEpochSecond());
    line.append('.').append(String.valueOf(1_000_000 + at.getNano() / 1000), 1, 7);
    if (test != null) line.append(", \"test\": ").append(test.toJson());
    if (!unseen.isEmpty()) line.append(", \"visibility\": {").append(unseen).append('}');
    return line.append('}').toString();
  }

  private static String pairs(List<Map.Entry<String, String>> headers) {
    StringBuilder pairs = new StringBuilder("\"headers\": [");
    for (Map.Entry<String, String> header : headers) {
      if (pairs.charAt(pairs.length() - 1) != '[') pairs.append(", ");
      pairs.append('[').append(Json.quote(header.getKey())).append(", ");
      pairs.append(Json.quote(header.getValue())).append(']');
    }
    return pairs.append(']').toString();
  }
}
