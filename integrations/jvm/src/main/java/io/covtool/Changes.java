package io.covtool;

import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Asks covtool for replacements of responses while {@code covtool mutate} runs: see docs/protocol.md. */
final class Changes {
  private static final String ADDRESS = System.getenv("COVTOOL_CHANGES");
  private static final int TIMEOUT = 30_000;

  private static final Pattern STREAM =
      Pattern.compile(
          "(?i)(text/event-stream|multipart/x-mixed-replace|"
              + "application/(stream\\+json|(x-|[^;]+\\+)?(ndjson|json-?l|json-seq)))");

  private Changes() {}

  /** The response that a test gets instead. */
  record Answer(int status, List<Map.Entry<String, String>> headers, byte[] body) {
    /** Returns the first value of a header field; null if there is none. */
    String header(String name) {
      for (Map.Entry<String, String> header : headers) {
        if (header.getKey().equalsIgnoreCase(name)) return header.getValue();
      }
      return null;
    }
  }

  /** True if {@code covtool mutate} runs the tests. */
  static boolean areAsked() {
    return ADDRESS != null && !ADDRESS.isEmpty() && Recorder.isActive();
  }

  /** True for a body that may be endless, so that it can't be read to its end. */
  static boolean isStream(String type, long length) {
    return length < 0 && type != null && STREAM.matcher(type).lookingAt();
  }

  /** Returns the replacement for a response; null if the response stays unchanged. */
  static Answer ask(Exchange exchange) {
    if (exchange.status == 0 || exchange.received.isTruncated()) return null;
    try {
      String text = post("", exchange.toJson(true));
      if (text == null) return null;
      Map<?, ?> answer = (Map<?, ?>) Json.read(text);
      List<Map.Entry<String, String>> headers = new ArrayList<>();
      for (Object pair : (List<?>) answer.get("headers")) {
        Exchange.add(headers, (String) ((List<?>) pair).get(0), (String) ((List<?>) pair).get(1));
      }
      byte[] body = Base64.getDecoder().decode((String) answer.get("body_base64"));
      return new Answer(((Number) answer.get("status_code")).intValue(), headers, body);
    } catch (RuntimeException failure) {
      Recorder.failed(failure);
      return null;
    }
  }

  /** Reports the outcome of a test to covtool. */
  static void tellOutcome(RunningTest test, boolean isPassed) {
    post("/outcome", "{\"test\": " + test.toJson() + ", \"outcome\": \"" + (isPassed ? "passed" : "failed") + "\"}");
  }

  /** Returns the text of a response with status 200; null otherwise. */
  private static String post(String path, String message) {
    try {
      // Configured proxies are only for the requests of tests.
      HttpURLConnection connection = (HttpURLConnection) new URL(ADDRESS + path).openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(TIMEOUT);
      connection.setReadTimeout(TIMEOUT);
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setDoOutput(true);
      try (OutputStream stream = connection.getOutputStream()) {
        stream.write(message.getBytes(StandardCharsets.UTF_8));
      }
      if (connection.getResponseCode() != 200) return null;
      return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException gone) {
      return null; // covtool has ended, and nothing is changed any more
    }
  }
}
