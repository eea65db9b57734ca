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
 * Adds a filter to the contexts of Spring's tests, which all requests pass: those of MockMvc and WebTestClient, and those
 * of any client to a server that a test starts. Spring finds it by itself.
 */
public final class CovtoolContextCustomizerFactory implements ContextCustomizerFactory {
  @Override
  public ContextCustomizer createContextCustomizer(
      Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
    return Recorder.isActive() ? new Customizer() : null;
  }

  /** Contexts of tests are shared where their customizers are equal, and all of these are. */
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

  /** Before all others, since they answer, too. */
  private static final class FirstServletFilter extends CovtoolServletFilter implements Ordered {
    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }
  }
}
