package io.covtool;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A WebFlux application with the responses of the conformance set, called without a socket. */
final class ConformanceWebHandler {
  private ConformanceWebHandler() {}

  private static Mono<Void> answer(ServerWebExchange exchange) {
    java.net.URI uri = exchange.getRequest().getURI();
    String target = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    String method = exchange.getRequest().getMethod().name();
    ConformanceCase.Answer answer = ConformanceCase.answer(method, target);
    ServerHttpResponse response = exchange.getResponse();
    response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
    answer.headers().forEach(header -> response.getHeaders().add(header.getKey(), header.getValue()));
    Flux<DataBuffer> chunks = Flux.fromIterable(answer.chunks()).map(response.bufferFactory()::wrap);
    Mono<Void> read = exchange.getRequest().getBody().doOnNext(DataBufferUtils::release).then();
    return read.then(method.equals("HEAD") ? response.setComplete() : response.writeWith(chunks));
  }

  private static final WebTestClient CLIENT =
      WebTestClient.bindToWebHandler(ConformanceWebHandler::answer)
          .webFilter(new CovtoolWebFilter())
          .configureClient()
          .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(1 << 22))
          .build();

  static void send(ConformanceCase each, int n) {
    WebTestClient.RequestBodySpec request = CLIENT.method(HttpMethod.valueOf(each.method())).uri(each.uri("", n));
    each.headers(n).forEach(header -> request.header(header.getKey(), header.getValue()));
    if (each.body(n).length > 0) request.bodyValue(each.body(n));
    EntityExchangeResult<byte[]> result = request.exchange().expectBody().returnResult();
    HttpHeaders headers = result.getResponseHeaders();
    byte[] body = result.getResponseBody();
    each.check(
        result.getStatus().value(),
        name -> String.join("|", headers.getOrEmpty(name)),
        body == null ? new byte[0] : body);
  }
}
