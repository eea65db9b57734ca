package example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An API for books, as small as can be. */
@SpringBootApplication
public class BooksApplication {
  public static void main(String[] args) {
    SpringApplication.run(BooksApplication.class, args);
  }
}
