package io.covtool;

import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.util.ClassUtils;

/**
 * Adds the recording filter to the application contexts of Spring tests. It sees the requests of MockMvc and
 * WebTestClient, and those of any client to a server that a test starts. Spring finds this class by itself.
 */
public final class CovtoolContextCustomizerFactory implements ContextCustomizerFactory {
  @Override
  public ContextCustomizer createContextCustomizer(
      Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
    return Recorder.isActive() ? new Customizer() : null;
  }

  /** Spring shares a context between tests whose customizers are equal; all instances of this record are. */
  private record Customizer() implements ContextCustomizer {
    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
      ClassLoader loader = context.getClassLoader();
      if (ClassUtils.isPresent("jakarta.servlet.Filter", loader)) {
        context.getBeanFactory().registerSingleton("covtoolServletFilter", new FirstServletFilter());
      }
      if (ClassUtils.isPresent("org.springframework.web.server.WebFilter", loader)
          && ClassUtils.isPresent("reactor.core.publisher.Mono", loader)) {
        context.getBeanFactory().registerSingleton("covtoolWebFilter", new CovtoolWebFilter());
      }
    }
  }

  /** The first filter of all, since the others may send a response. */
  private static final class FirstServletFilter extends CovtoolServletFilter implements Ordered {
    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }
  }
}
