package io.covtool;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Records the requests and responses of a WebFlux application. Spring Boot tests have this filter automatically. */
public final class CovtoolWebFilter implements WebFilter, Ordered {
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange web, WebFilterChain chain) {
    if (!Recorder.isActive()) return chain.filter(web);
    ServerHttpRequest request = web.getRequest();
    Exchange exchange = new Exchange(request.getMethod().name(), urlFor(request));
    if (Recorder.isRecordedByClient(exchange)) return chain.filter(web);
    request.getHeaders().forEach((name, values) -> addAll(exchange.requestHeaders, name, values));
    exchange.unseen = Exchange.SERVER_HEADERS;
    ServerHttpResponse response = web.getResponse();
    RecordedRequest recordedRequest = new RecordedRequest(request);
    RecordedResponse recorded = new RecordedResponse(response, exchange, recordedRequest.sent);
    Recorder.open(exchange);
    return chain
        .filter(web.mutate().request(recordedRequest).response(recorded).build())
        .then(Mono.defer(recorded::completeUnwritten))
        .doOnSuccess(nothing -> recorded.endHandling())
        .doOnCancel(() -> {
          exchange.received.truncate();
          recorded.endHandling();
        })
        .doOnError(failure -> response.beforeCommit(() -> {
          exchange.leaveBodyToServer();
          recorded.endHandling();
          return Mono.empty();
        }));
  }

  private static void addAll(
      List<java.util.Map.Entry<String, String>> headers, String name, List<String> values) {
    for (String value : values) Exchange.add(headers, name, value);
  }

  /** Returns the URL of a request. Tests that call the application directly send only a path. */
  private static String urlFor(ServerHttpRequest request) {
    URI uri = request.getURI();
    if (uri.getScheme() != null && uri.getRawAuthority() != null) return Exchange.plainUrl(uri);
    String host = request.getHeaders().getFirst(HttpHeaders.HOST);
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return "http://" + (host == null ? "localhost" : host) + uri.getRawPath() + query;
  }

  private static void copy(DataBuffer buffer, Body body) {
    try (DataBuffer.ByteBufferIterator parts = buffer.readableByteBuffers()) {
      while (parts.hasNext()) {
        ByteBuffer part = parts.next();
        body.add(part);
      }
    }
  }

  private static byte[] readBytes(DataBuffer buffer) {
    byte[] bytes = new byte[buffer.readableByteCount()];
    buffer.read(bytes);
    DataBufferUtils.release(buffer);
    return bytes;
  }

  private static final class RecordedRequest extends ServerHttpRequestDecorator {
    final Body sent = new Body();

    RecordedRequest(ServerHttpRequest request) {
      super(request);
    }

    @Override
    public Flux<DataBuffer> getBody() {
      return super.getBody().doOnNext(buffer -> copy(buffer, sent));
    }
  }

  private static final class RecordedResponse extends ServerHttpResponseDecorator {
    private final Exchange exchange;
    private final Body sent;

    /** The number of pending ends: of the handler, and of the body, which test clients read later. */
    private final AtomicInteger awaited = new AtomicInteger(1);

    RecordedResponse(ServerHttpResponse response, Exchange exchange, Body sent) {
      super(response);
      this.exchange = exchange;
      this.sent = sent;
    }

    void endHandling() {
      try {
        describe();
        endPart();
      } catch (RuntimeException failure) {
        Recorder.failed(failure);
      }
    }

    private void describe() {
      if (exchange.status > 0) return;
      long length = exchange.requestLength();
      if (sent.length() > 0 || length > 0) {
        exchange.sent = sent;
        if (length >= 0 && sent.length() != length) sent.truncate();
      }
      HttpStatusCode status = getStatusCode();
      getHeaders().forEach((name, values) -> addAll(exchange.responseHeaders, name, values));
      exchange.status = status == null ? 200 : status.value();
    }

    /** Replaces the response if {@code covtool mutate} asks for it; returns the body. */
    private byte[] change(byte[] body) {
      exchange.received.add(body, 0, body.length);
      describe();
      // Cookies become header fields only when the response is sent.
      List<String> cookies =
          getCookies().values().stream().flatMap(List::stream).map(ResponseCookie::toString).toList();
      addAll(exchange.responseHeaders, HttpHeaders.SET_COOKIE, cookies);
      exchange.finish();
      Changes.Answer answer = Changes.ask(exchange);
      if (answer == null) return body;
      setStatusCode(HttpStatusCode.valueOf(answer.status()));
      getHeaders().clear();
      List<String> left = new ArrayList<>();
      answer.headers().forEach(header -> {
        if (header.getKey().equalsIgnoreCase(HttpHeaders.SET_COOKIE)) left.add(header.getValue());
        else getHeaders().add(header.getKey(), header.getValue());
      });
      if (!left.equals(cookies)) {
        getCookies().clear();
        left.forEach(cookie -> getHeaders().add(HttpHeaders.SET_COOKIE, cookie));
      }
      return answer.body();
    }

    private Mono<Void> writeChanged(byte[] body) {
      byte[] given = change(body);
      return given.length == 0 ? super.setComplete() : super.writeWith(Mono.just(bufferFactory().wrap(given)));
    }

    @Override
    public Mono<Void> setComplete() {
      if (!Changes.areAsked() || isCommitted()) return super.setComplete();
      return Mono.defer(() -> writeChanged(new byte[0]));
    }

    /** Completes a response without a body, since covtool may change it. */
    Mono<Void> completeUnwritten() {
      return Changes.areAsked() && !isCommitted() ? setComplete() : Mono.empty();
    }

    private void endPart() {
      if (awaited.decrementAndGet() == 0) exchange.finish();
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
      if (Changes.areAsked()) {
        return DataBufferUtils.join(Flux.from(body)).map(CovtoolWebFilter::readBytes).defaultIfEmpty(new byte[0])
            .flatMap(this::writeChanged);
      }
      // A Mono stays a Mono, since servers send its length.
      if (body instanceof Mono<? extends DataBuffer> one) return super.writeWith(one.doOnNext(this::copyOut));
      return super.writeWith(noticeEnd(Flux.from(body).doOnNext(this::copyOut)));
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
      return super.writeAndFlushWith(
          noticeEnd(Flux.from(body).map(part -> Flux.from(part).doOnNext(this::copyOut))));
    }

    private <T> Flux<T> noticeEnd(Flux<T> body) {
      awaited.incrementAndGet();
      AtomicBoolean isWhole = new AtomicBoolean();
      return body.doOnComplete(() -> isWhole.set(true)).doFinally(signal -> {
        if (!isWhole.get()) exchange.received.truncate();
        endPart();
      });
    }

    private void copyOut(DataBuffer buffer) {
      copy(buffer, exchange.received);
    }
  }
}
