package io.covtool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPOutputStream;

/** A case of the conformance set; its name in the test is its id. */
record ConformanceCase(JsonNode json) {
  private static final List<ConformanceCase> ALL = read();
  private static final Map<String, Answer> ANSWERS = new HashMap<>();

  static {
    for (ConformanceCase each : ALL) {
      for (JsonNode exchange : each.json.get("exchanges")) {
        for (int n = 0; n < each.times(); n++) {
          JsonNode request = exchange.get("request");
          String target = numbered(request.get("path").asText(), n);
          ANSWERS.put(request.get("method").asText() + " " + target, new Answer(exchange.get("response"), n));
        }
      }
    }
  }

  private static List<ConformanceCase> read() {
    try {
      JsonNode set = new ObjectMapper().readTree(new File("../../tests/recorders/conformance/cases.json"));
      return StreamSupport.stream(set.get(Changes.areAsked() ? "changes" : "cases").spliterator(), false).map(ConformanceCase::new).toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static List<ConformanceCase> all() {
    return ALL;
  }

  /** Returns the response of the application; throws if the connection is to break. */
  static Answer answer(String method, String target) {
    Answer answer = ANSWERS.get(method + " " + target);
    if (answer == null || answer.json == null) throw new IllegalStateException("no answer to " + method + " " + target);
    return answer;
  }

  /** A response of the conformance set; {@code n} is the number of the repetition. */
  record Answer(JsonNode json, int n) {
    int status() {
      return json.get("status_code").asInt();
    }

    boolean isGzip() {
      return json.path("gzip").asBoolean();
    }

    List<Map.Entry<String, String>> headers() {
      List<Map.Entry<String, String>> headers = pairs(json, n);
      if (isGzip()) headers.add(Map.entry("Content-Encoding", "gzip"));
      return headers;
    }

    byte[] body() {
      byte[] body = bodyOf(json, n);
      if (!isGzip()) return body;
      ByteArrayOutputStream compressed = new ByteArrayOutputStream();
      try (GZIPOutputStream stream = new GZIPOutputStream(compressed)) {
        stream.write(body);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
      return compressed.toByteArray();
    }

    /** The pieces in which the body is sent. */
    List<byte[]> chunks() {
      List<byte[]> chunks = new ArrayList<>();
      for (JsonNode chunk : json.path("chunks")) chunks.add(bytes(chunk));
      return chunks.isEmpty() ? List.of(body()) : chunks;
    }
  }

  @Override
  public String toString() {
    return json.get("id").asText();
  }

  Stream<String> needs() {
    return StreamSupport.stream(json.path("needs").spliterator(), false).map(JsonNode::asText);
  }

  int times() {
    return json.path("times").asInt(1);
  }

  private JsonNode request() {
    return json.at("/exchanges/0/request");
  }

  boolean breaks() {
    return !json.get("exchanges").get(0).has("response");
  }

  boolean follows() {
    return json.path("follow_redirects").asBoolean();
  }

  boolean readsFirstChunk() {
    return json.path("read").asText().equals("first chunk");
  }

  /** Compares a received response with the expected one, which may differ while covtool changes responses. */
  void check(int status, UnaryOperator<String> header, byte[] body) {
    if (!Changes.areAsked()) {
      assertEquals(lastStatus(), status);
      return;
    }
    JsonNode wanted = json.has("changed") ? json.get("changed") : json.at("/exchanges/0/response");
    assertEquals(wanted.get("status_code").asInt(), status);
    // Not all clients decompress responses.
    if (body != null) assertEquals(new String(bodyOf(wanted, 0), UTF_8), new String(body, UTF_8));
    Map<String, List<String>> fields = new LinkedHashMap<>();
    pairs(wanted, 0).forEach(
        pair -> fields.computeIfAbsent(pair.getKey(), name -> new ArrayList<>()).add(pair.getValue()));
    fields.forEach((name, values) -> assertEquals(String.join("|", values), header.apply(name)));
    for (JsonNode name : json.path("absent")) assertEquals("", header.apply(name.asText()));
  }

  int lastStatus() {
    JsonNode exchanges = json.get("exchanges");
    return exchanges.get(follows() ? exchanges.size() - 1 : 0).at("/response/status_code").asInt();
  }

  byte[] body(int n) {
    return bodyOf(request(), n);
  }

  private static byte[] bodyOf(JsonNode message, int n) {
    try {
      if (message.has("body_base64")) return message.get("body_base64").binaryValue();
    } catch (IOException invalid) {
      throw new UncheckedIOException(invalid);
    }
    if (message.has("repeat")) return bytes(message.get("repeat"));
    if (message.has("chunks")) {
      StringBuilder all = new StringBuilder();
      for (JsonNode chunk : message.get("chunks")) all.append(new String(bytes(chunk), UTF_8));
      return all.toString().getBytes(UTF_8);
    }
    return numbered(message.path("body").asText(), n).getBytes(UTF_8);
  }

  private static byte[] bytes(JsonNode text) {
    String all = text.isTextual() ? text.asText() : text.get(0).asText().repeat(text.get(1).asInt());
    return all.getBytes(UTF_8);
  }

  URI uri(String server, int n) {
    return URI.create(server + numbered(request().get("path").asText(), n));
  }

  String method() {
    return request().get("method").asText();
  }

  List<Map.Entry<String, String>> headers(int n) {
    return pairs(request(), n);
  }

  private static List<Map.Entry<String, String>> pairs(JsonNode message, int n) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    for (JsonNode pair : message.path("headers")) {
      headers.add(Map.entry(pair.get(0).asText(), numbered(pair.get(1).asText(), n)));
    }
    return headers;
  }

  private static String numbered(String text, int n) {
    return text.replace("{n}", String.valueOf(n));
  }
}
