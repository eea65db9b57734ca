package io.covtool;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import jakarta.servlet.http.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockMultipartHttpServletRequest;
import org.springframework.web.multipart.MultipartFile;

/** Records MockMvc. Its requests and responses keep their bodies, so streams need no wrappers. */
final class MockExchanges {
  private static final String EXCHANGE = MockExchanges.class.getName();
  private static final String BOUNDARY = "covtool-boundary";

  private MockExchanges() {}

  /** The rest of the filter chain. */
  interface Next {
    void run(HttpServletResponse response) throws IOException, ServletException;
  }

  static boolean areMocks(HttpServletRequest request, HttpServletResponse response) {
    return request instanceof MockHttpServletRequest && response instanceof MockHttpServletResponse;
  }

  static void record(HttpServletRequest asked, HttpServletResponse answered, Next next)
      throws IOException, ServletException {
    MockHttpServletRequest request = (MockHttpServletRequest) asked;
    boolean isAsync = request.getDispatcherType() == DispatcherType.ASYNC;
    Exchange exchange = isAsync ? (Exchange) request.getAttribute(EXCHANGE) : null;
    if (exchange == null) {
      if (request.getAttribute(EXCHANGE) != null || request.getDispatcherType() != DispatcherType.REQUEST) {
        next.run(answered);
        return;
      }
      exchange = describe(request);
      request.setAttribute(EXCHANGE, exchange);
    }
    boolean isOver = false;
    try {
      next.run(new ErrorNotice(answered, exchange));
      isOver = true;
    } finally {
      // The rest of an asynchronous response comes with the test's asyncDispatch().
      if (!isOver || !request.isAsyncStarted()) {
        finish(exchange, isOver ? (MockHttpServletResponse) answered : null);
      }
    }
  }

  /** Notices errors whose body a real server would write, while MockMvc writes none. */
  private static final class ErrorNotice extends HttpServletResponseWrapper {
    private final Exchange exchange;

    ErrorNotice(HttpServletResponse response, Exchange exchange) {
      super(response);
      this.exchange = exchange;
    }

    @Override
    public void sendError(int status, String message) throws IOException {
      exchange.leaveBodyToServer();
      super.sendError(status, message);
    }

    @Override
    public void sendError(int status) throws IOException {
      exchange.leaveBodyToServer();
      super.sendError(status);
    }
  }

  private static Exchange describe(MockHttpServletRequest request) {
    try {
      return describe(request, request.getQueryString());
    } catch (IOException | ServletException | RuntimeException failure) {
      Recorder.failed(failure);
      return new Exchange(request.getMethod(), request.getRequestURL().toString());
    }
  }

  private static Exchange describe(MockHttpServletRequest request, String query)
      throws IOException, ServletException {
    List<String> fields = fieldsBesides(request, query);
    byte[] content = request.getContentAsByteArray();
    List<String> type = new ArrayList<>();
    if (request instanceof MockMultipartHttpServletRequest multipart) {
      content = multipartBody(multipart);
      type.add("multipart/form-data; boundary=" + BOUNDARY);
    } else if (!fields.isEmpty() && content == null && Set.of("POST", "PUT", "PATCH").contains(request.getMethod())) {
      content = String.join("&", fields).getBytes(StandardCharsets.UTF_8);
      type.add("application/x-www-form-urlencoded");
    } else if (!fields.isEmpty() && content == null) {
      query = (query == null ? "" : query + "&") + String.join("&", fields);
    }
    Exchange exchange =
        new Exchange(request.getMethod(), request.getRequestURL() + (query == null ? "" : "?" + query));
    for (String name : Collections.list(request.getHeaderNames())) {
      if (name.equalsIgnoreCase("Content-Type") && !type.isEmpty()) continue;
      for (String value : Collections.list(request.getHeaders(name))) {
        Exchange.add(exchange.requestHeaders, name, value);
      }
    }
    for (String value : type) Exchange.add(exchange.requestHeaders, "Content-Type", value);
    addCookies(request, exchange);
    if (content != null && content.length > 0) exchange.sent = Body.of(content);
    return exchange;
  }

  private static void addCookies(MockHttpServletRequest request, Exchange exchange) {
    if (request.getCookies() == null || request.getHeader("Cookie") != null) return;
    List<String> cookies =
        Arrays.stream(request.getCookies()).map(cookie -> cookie.getName() + "=" + cookie.getValue()).toList();
    if (!cookies.isEmpty()) Exchange.add(exchange.requestHeaders, "Cookie", String.join("; ", cookies));
  }

  /** Returns the parameters that {@code param()} set, which are neither in the query nor in the body. */
  private static List<String> fieldsBesides(MockHttpServletRequest request, String query) {
    if (request.getParameterMap().isEmpty()) return List.of();
    Set<String> known = new HashSet<>();
    for (String pair : (query == null ? "" : query).split("&")) {
      known.add(java.net.URLDecoder.decode(pair.replaceAll("=.*", ""), StandardCharsets.UTF_8));
    }
    List<String> fields = new ArrayList<>();
    for (Map.Entry<String, String[]> parameter : request.getParameterMap().entrySet()) {
      if (known.contains(parameter.getKey())) continue;
      for (String value : parameter.getValue()) fields.add(encode(parameter.getKey()) + "=" + encode(value));
    }
    return fields;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text == null ? "" : text, StandardCharsets.UTF_8);
  }

  /** Returns the body that a client would send for the files, parts and parameters of a test. */
  private static byte[] multipartBody(MockMultipartHttpServletRequest request) throws IOException, ServletException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    Set<String> written = new HashSet<>();
    for (List<MultipartFile> files : request.getMultiFileMap().values()) {
      for (MultipartFile file : files) {
        written.add(file.getName());
        addPart(body, file.getName(), file.getOriginalFilename(), file.getContentType(), file.getBytes());
      }
    }
    for (Part part : request.getParts()) {
      if (!written.add(part.getName())) continue;
      byte[] content = part.getInputStream().readAllBytes();
      addPart(body, part.getName(), part.getSubmittedFileName(), part.getContentType(), content);
    }
    for (Map.Entry<String, String[]> parameter : request.getParameterMap().entrySet()) {
      if (written.contains(parameter.getKey())) continue;
      for (String value : parameter.getValue()) {
        addPart(body, parameter.getKey(), null, null, value.getBytes(StandardCharsets.UTF_8));
      }
    }
    body.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.UTF_8));
    return body.toByteArray();
  }

  private static void addPart(ByteArrayOutputStream body, String name, String file, String type, byte[] content) {
    String head = "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + '"';
    if (file != null && !file.isEmpty()) head += "; filename=\"" + file + '"';
    head += type == null ? "\r\n\r\n" : "\r\nContent-Type: " + type + "\r\n\r\n";
    body.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    body.writeBytes(content);
    body.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
  }

  private static void replace(MockHttpServletResponse response, Changes.Answer answer) throws IOException {
    String message = answer.status() == response.getStatus() ? response.getErrorMessage() : null;
    response.setCommitted(false);
    response.reset();
    for (Map.Entry<String, String> header : answer.headers()) response.addHeader(header.getKey(), header.getValue());
    response.getOutputStream().write(answer.body());
    if (message == null) response.setStatus(answer.status());
    else response.sendError(answer.status(), message);
  }

  /** Finishes an exchange; {@code response} is null if an exception went through to the test. */
  private static void finish(Exchange exchange, MockHttpServletResponse response) {
    try {
      if (response != null) {
        exchange.status = response.getStatus();
        for (String name : response.getHeaderNames()) {
          for (String value : response.getHeaders(name)) Exchange.add(exchange.responseHeaders, name, value);
        }
        byte[] content = response.getContentAsByteArray();
        exchange.received.add(content, 0, content.length);
      }
      exchange.finish();
      Changes.Answer answer = response != null && Changes.areAsked() ? Changes.ask(exchange) : null;
      if (answer != null) replace(response, answer);
    } catch (IOException | RuntimeException failure) {
      Recorder.failed(failure);
    }
  }
}
