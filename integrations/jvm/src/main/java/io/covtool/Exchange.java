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

  /** JSON members for header fields that a server adds after the application. */
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

  /** A request that follows another one, such as after a redirect. */
  Exchange(Exchange first, String method, String url) {
    this.method = method;
    this.url = url;
    test = first.test;
  }

  /** The body of the request; null for none. */
  volatile Body sent;

  volatile Body received = new Body();

  /** The status code; 0 without a response. */
  volatile int status;

  /** The parts that the recorder could not see, as JSON members. */
  String unseen = "";

  /** True if a client in this process records the request, so that a server in this process must not. */
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

  /** Identifies a request for client and server if both are in this process. */
  String key() {
    return method + ' ' + url.substring(url.indexOf("//") + 2).toLowerCase(Locale.ROOT);
  }

  /** Returns a URL as it is sent, without user and fragment. */
  static String plainUrl(URI uri) {
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    String host = uri.getHost() == null ? uri.getRawAuthority() : uri.getHost() + port;
    return uri.getScheme() + "://" + host + path + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
  }

  /** Returns the Content-Length of the request; -1 if there is none. */
  long requestLength() {
    for (Map.Entry<String, String> header : requestHeaders) {
      if (header.getKey().equalsIgnoreCase("Content-Length")) return Long.parseLong(header.getValue().trim());
    }
    return -1;
  }

  /** Notes that the server, not the application, writes the body of an error. */
  void leaveBodyToServer() {
    unseen = ERROR_PAGE;
  }

  /** Finishes the exchange if its test has ended: the rest of the response body won't be read any more. */
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

  /** Ends the exchange without a line, since nothing was sent. */
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
