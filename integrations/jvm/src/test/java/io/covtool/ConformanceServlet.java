package io.covtool;

import static org.springframework.web.bind.annotation.RequestMethod.DELETE;
import static org.springframework.web.bind.annotation.RequestMethod.GET;
import static org.springframework.web.bind.annotation.RequestMethod.HEAD;
import static org.springframework.web.bind.annotation.RequestMethod.OPTIONS;
import static org.springframework.web.bind.annotation.RequestMethod.PATCH;
import static org.springframework.web.bind.annotation.RequestMethod.POST;
import static org.springframework.web.bind.annotation.RequestMethod.PUT;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.stereotype.Controller;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.RequestMapping;

/** A servlet with the responses of the conformance set, for Tomcat and MockMvc. */
final class ConformanceServlet extends HttpServlet {
  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String query = request.getQueryString() == null ? "" : "?" + request.getQueryString();
    ConformanceCase.Answer answer = ConformanceCase.answer(request.getMethod(), request.getRequestURI() + query);
    request.getInputStream().readAllBytes();
    response.setStatus(answer.status());
    for (Map.Entry<String, String> header : answer.headers()) response.addHeader(header.getKey(), header.getValue());
    if (request.getMethod().equals("HEAD")) return;
    for (byte[] chunk : answer.chunks()) {
      response.getOutputStream().write(chunk);
      if (answer.chunks().size() > 1) response.flushBuffer();
    }
  }

  private static String address;

  /** Returns the address of a server with the servlet behind the recording filter. */
  static synchronized String address() throws LifecycleException {
    if (address != null) return address;
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(new File("target/tomcat").getAbsolutePath());
    tomcat.setPort(0);
    tomcat.getConnector();
    Context context = tomcat.addContext("", null);
    FilterDef filter = new FilterDef();
    filter.setFilterName("covtool");
    filter.setFilter(new CovtoolServletFilter());
    context.addFilterDef(filter);
    FilterMap everything = new FilterMap();
    everything.setFilterName("covtool");
    everything.addURLPattern("/*");
    context.addFilterMap(everything);
    Tomcat.addServlet(context, "answers", new ConformanceServlet());
    context.addServletMappingDecoded("/*", "answers");
    tomcat.start();
    address = "http://localhost:" + tomcat.getConnector().getLocalPort();
    return address;
  }

  /** The servlet as a Spring controller, which the test client calls without a socket. */
  @Controller
  static final class Answers {
    @RequestMapping(path = "/**", method = {GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS})
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
      new ConformanceServlet().service(request, response);
    }
  }

  private static final MockMvc MOCK_MVC =
      MockMvcBuilders.standaloneSetup(new Answers()).addFilters(new CovtoolServletFilter()).build();

  static void sendByMockMvc(ConformanceCase each, int n) throws Exception {
    MockHttpServletRequestBuilder request =
        MockMvcRequestBuilders.request(HttpMethod.valueOf(each.method()), each.uri("", n));
    each.headers(n).forEach(header -> request.header(header.getKey(), header.getValue()));
    if (each.body(n).length > 0) request.content(each.body(n));
    MockHttpServletResponse response = MOCK_MVC.perform(request).andReturn().getResponse();
    each.check(
        response.getStatus(), name -> String.join("|", response.getHeaders(name)), response.getContentAsByteArray());
  }
}
