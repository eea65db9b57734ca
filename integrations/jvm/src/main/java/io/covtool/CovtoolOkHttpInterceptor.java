package io.covtool;

import java.io.IOException;
import kotlin.Pair;
import okhttp3.Headers;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSink;
import okio.BufferedSource;
import okio.ForwardingSink;
import okio.ForwardingSource;
import okio.Okio;
import okio.Sink;
import okio.Source;

/**
 * Records the requests and responses of an OkHttp client, including redirects and retries.
 *
 * <pre>{@code new OkHttpClient.Builder().addNetworkInterceptor(new CovtoolOkHttpInterceptor()).build();}</pre>
 */
public final class CovtoolOkHttpInterceptor implements Interceptor {
  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    if (!Recorder.isActive()) return chain.proceed(request);
    Exchange exchange = new Exchange(request.method(), Exchange.plainUrl(request.url().uri()));
    for (Pair<? extends String, ? extends String> header : request.headers()) {
      Exchange.add(exchange.requestHeaders, header.getFirst(), header.getSecond());
    }
    RequestBody body = request.body();
    if (body != null && body.contentLength() != 0) {
      exchange.sent = new Body();
      request = request.newBuilder().method(request.method(), new CopiedBody(body, exchange.sent)).build();
    }
    Recorder.startSending(exchange);
    try {
      Response response = describe(exchange, chain.proceed(request));
      return Changes.areAsked() ? change(exchange, response) : response;
    } catch (IOException | RuntimeException failure) {
      exchange.finish();
      throw failure;
    }
  }

  private static Response describe(Exchange exchange, Response response) {
    exchange.status = response.code();
    for (Pair<? extends String, ? extends String> header : response.headers()) {
      Exchange.add(exchange.responseHeaders, header.getFirst(), header.getSecond());
    }
    ResponseBody body = response.body();
    if (body == null || response.code() == 101) {
      exchange.finish();
      return response;
    }
    // A body that is known to be empty may never be read.
    if (body.contentLength() == 0 || exchange.method.equals("HEAD")) exchange.finish();
    return response.newBuilder().body(new CopiedResponse(body, exchange)).build();
  }

  /** Reads a response, and replaces it if {@code covtool mutate} asks for it. */
  private static Response change(Exchange exchange, Response response) throws IOException {
    ResponseBody body = response.body();
    boolean isStream = body != null && Changes.isStream(response.header("Content-Type"), body.contentLength());
    if (body == null || response.code() == 101 || isStream) return response;
    byte[] bytes = body.source().readByteArray();
    body.close();
    Changes.Answer answer = Changes.ask(exchange);
    if (answer == null) return response.newBuilder().body(ResponseBody.create(bytes, body.contentType())).build();
    Headers.Builder headers = new Headers.Builder();
    answer.headers().forEach(header -> headers.addUnsafeNonAscii(header.getKey(), header.getValue()));
    String type = answer.header("Content-Type");
    return response
        .newBuilder()
        .code(answer.status())
        .headers(headers.build())
        .body(ResponseBody.create(answer.body(), type == null ? null : MediaType.parse(type)))
        .build();
  }

  /** Copies a part of a buffer to {@code body}, without consuming it. */
  private static void copy(Buffer buffer, long offset, long count, Body body) {
    Buffer copy = new Buffer();
    buffer.copyTo(copy, offset, count);
    byte[] bytes = copy.readByteArray();
    body.add(bytes, 0, bytes.length);
  }

  private static final class CopiedBody extends RequestBody {
    private final RequestBody body;
    private final Body sent;

    CopiedBody(RequestBody body, Body sent) {
      this.body = body;
      this.sent = sent;
    }

    @Override
    public MediaType contentType() {
      return body.contentType();
    }

    @Override
    public long contentLength() throws IOException {
      return body.contentLength();
    }

    @Override
    public boolean isOneShot() {
      return body.isOneShot();
    }

    @Override
    public boolean isDuplex() {
      return body.isDuplex();
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      sent.reset();
      Sink copying =
          new ForwardingSink(sink) {
            @Override
            public void write(Buffer source, long count) throws IOException {
              copy(source, 0, count, sent);
              super.write(source, count);
            }
          };
      BufferedSink buffered = Okio.buffer(copying);
      body.writeTo(buffered);
      buffered.emit();
    }
  }

  private static final class CopiedResponse extends ResponseBody {
    private final ResponseBody body;
    private final BufferedSource source;

    CopiedResponse(ResponseBody body, Exchange exchange) {
      this.body = body;
      Source copying =
          new ForwardingSource(body.source()) {
            private boolean isOver;

            @Override
            public long read(Buffer sink, long count) throws IOException {
              long read = super.read(sink, count);
              if (read < 0) {
                isOver = true;
                exchange.finish();
              } else {
                copy(sink, sink.size() - read, read, exchange.received);
              }
              return read;
            }

            @Override
            public void close() throws IOException {
              boolean isWhole = isOver || exchange.received.length() == body.contentLength();
              if (!isWhole) exchange.received.truncate();
              exchange.finish();
              super.close();
            }
          };
      source = Okio.buffer(copying);
    }

    @Override
    public MediaType contentType() {
      return body.contentType();
    }

    @Override
    public long contentLength() {
      return body.contentLength();
    }

    @Override
    public BufferedSource source() {
      return source;
    }
  }
}
