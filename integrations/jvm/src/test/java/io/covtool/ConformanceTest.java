package io.covtool;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.restassured.RestAssured;
import io.restassured.config.EncoderConfig;
import io.restassured.specification.RequestSpecification;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends the cases of the conformance set in each way that CONFORMANCE_WAYS lists: a way per line, followed by the needs
 * that it can't meet. Clients send to the server at CONFORMANCE_SERVER. The caller, tests/recorders/jvm_test.ts, checks
 * the recording.
 */
@EnabledIfEnvironmentVariable(named = "CONFORMANCE_WAYS", matches = "(?s).+")
class ConformanceTest {
  private static final String SERVER = System.getenv("CONFORMANCE_SERVER");

  static Stream<Arguments> cases() {
    return System.getenv("CONFORMANCE_WAYS").lines().flatMap(line -> {
      List<String> words = List.of(line.split("[ ,]+"));
      Set<String> without = Set.copyOf(words.subList(1, words.size()));
      return ConformanceCase.all().stream()
          .filter(each -> !without.contains(each.toString()) && each.needs().noneMatch(without::contains))
          .map(each -> Arguments.of(words.get(0), each));
    });
  }

  private interface Sender {
    void send(ConformanceCase each, int n) throws Exception;
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("cases")
  void sends(String way, ConformanceCase each) throws Exception {
    Sender sender =
        switch (way) {
          case "jdk" -> (one, n) -> sendByJdk(one, n, SERVER, one.follows() ? FOLLOWING_JDK : JDK);
          case "okhttp" -> ConformanceTest::sendByOkHttp;
          case "restassured" -> ConformanceTest::sendByRestAssured;
          case "mockmvc" -> ConformanceServlet::sendByMockMvc;
          case "servlet" -> (one, n) -> sendByJdk(one, n, ConformanceServlet.address(), NOT_RECORDED);
          case "both" -> (one, n) -> sendByJdk(one, n, ConformanceServlet.address(), JDK);
          default -> ConformanceWebHandler::send;
        };
    ExecutorService threads = Executors.newFixedThreadPool(each.json().path("parallel").asInt(1));
    List<Future<?>> sent = new ArrayList<>();
    for (int time = 0; time < each.json().path("times").asInt(1); time++) {
      int n = time;
      sent.add(threads.submit(() -> {
        if (each.breaks()) assertThrows(Exception.class, () -> sender.send(each, n));
        else sender.send(each, n);
        return null;
      }));
    }
    for (Future<?> one : sent) one.get();
    threads.shutdown();
  }

  private static final HttpClient JDK = CovtoolHttpClient.wrap(HttpClient.newHttpClient());
  private static final HttpClient FOLLOWING_JDK =
      CovtoolHttpClient.wrap(HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build());

  private static final HttpClient NOT_RECORDED = HttpClient.newHttpClient();

  private static void sendByJdk(ConformanceCase each, int n, String server, HttpClient client) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(each.uri(server, n)).version(HttpClient.Version.HTTP_1_1);
    each.headers(n).forEach(header -> request.header(header.getKey(), header.getValue()));
    byte[] body = each.body(n);
    HttpRequest.BodyPublisher publisher =
        body.length == 0
            ? HttpRequest.BodyPublishers.noBody()
            : each.json().has("stream_request")
                ? HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))
                : HttpRequest.BodyPublishers.ofByteArray(body);
    request.method(each.method(), publisher);
    if (each.readsFirstChunk()) {
      try (InputStream stream = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()).body()) {
        stream.read(new byte[5]);
      }
      return;
    }
    HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    each.check(response.statusCode(), name -> String.join("|", response.headers().allValues(name)), response.body());
  }

  private static final OkHttpClient OKHTTP =
      new OkHttpClient.Builder()
          .addNetworkInterceptor(new CovtoolOkHttpInterceptor())
          .retryOnConnectionFailure(false)
          .build();

  private static void sendByOkHttp(ConformanceCase each, int n) throws Exception {
    Request.Builder request = new Request.Builder().url(each.uri(SERVER, n).toString());
    each.headers(n).forEach(header -> request.addHeader(header.getKey(), header.getValue()));
    byte[] body = each.body(n);
    boolean needsBody = Set.of("POST", "PUT", "PATCH").contains(each.method());
    RequestBody sent = body.length == 0 && !needsBody ? null : RequestBody.create(body);
    if (each.json().has("stream_request")) {
      sent =
          new RequestBody() {
            @Override
            public MediaType contentType() {
              return null;
            }

            @Override
            public void writeTo(BufferedSink sink) throws IOException {
              sink.write(body);
            }
          };
    }
    OkHttpClient client = OKHTTP.newBuilder().followRedirects(each.follows()).build();
    try (Response response = client.newCall(request.method(each.method(), sent).build()).execute()) {
      byte[] read = null;
      if (each.readsFirstChunk()) response.body().byteStream().read(new byte[5]);
      else read = response.body().bytes();
      each.check(response.code(), name -> String.join("|", response.headers(name)), read);
    }
  }

  private static void sendByRestAssured(ConformanceCase each, int n) {
    RequestSpecification request =
        RestAssured.given()
            .urlEncodingEnabled(false)
            .redirects().follow(each.follows())
            .config(RestAssured.config().encoderConfig(
                EncoderConfig.encoderConfig().appendDefaultContentCharsetToContentTypeIfUndefined(false)));
    each.headers(n).forEach(header -> request.header(header.getKey(), header.getValue()));
    byte[] body = each.body(n);
    // REST Assured encodes forms itself, from text.
    boolean isForm = each.toString().equals("form");
    if (isForm) request.body(new String(body, StandardCharsets.UTF_8));
    else if (body.length > 0) request.body(body);
    io.restassured.response.Response response = request.request(each.method(), each.uri(SERVER, n).toString());
    byte[] read = response.asByteArray();
    each.check(response.statusCode(), name -> String.join("|", response.headers().getValues(name)), read);
  }
}
