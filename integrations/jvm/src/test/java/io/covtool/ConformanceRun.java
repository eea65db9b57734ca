package io.covtool;

import java.io.PrintWriter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs ConformanceTest alone, without Maven, whose start takes as long as the test. */
final class ConformanceRun {
  private ConformanceRun() {}

  public static void main(String[] args) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(ConformanceTest.class))
            .build(),
        listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.err));
    System.exit(summary.getTestsSucceededCount() > 0 && summary.getTotalFailureCount() == 0 ? 0 : 1);
  }
}
