package example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A minimal API for books. */
@SpringBootApplication
public class BooksApplication {
  public static void main(String[] args) {
    SpringApplication.run(BooksApplication.class, args);
  }
}
