package example;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/books")
class BooksController {
  record NewBook(@NotBlank @Size(max = 120) String title, @Min(1) @Max(5000) Integer pages) {}

  record Book(int id, String title, Integer pages) {}

  private final Map<Integer, Book> books = new ConcurrentSkipListMap<>();
  private final AtomicInteger last = new AtomicInteger();

  @GetMapping
  List<Book> list(@RequestParam(defaultValue = "20") @Min(1) @Max(100) int limit) {
    return books.values().stream().limit(limit).toList();
  }

  @PostMapping
  ResponseEntity<Book> add(@Valid @RequestBody NewBook book) {
    Book added = new Book(last.incrementAndGet(), book.title(), book.pages());
    books.put(added.id(), added);
    return ResponseEntity.created(URI.create("/books/" + added.id())).body(added);
  }

  @GetMapping("/{id}")
  Book show(@PathVariable int id) {
    Book book = books.get(id);
    if (book == null) throw new ResponseStatusException(HttpStatus.NOT_FOUND);
    return book;
  }

  @DeleteMapping("/{id}")
  ResponseEntity<Void> remove(@PathVariable int id) {
    return books.remove(id) == null ? ResponseEntity.notFound().build() : ResponseEntity.noContent().build();
  }
}
