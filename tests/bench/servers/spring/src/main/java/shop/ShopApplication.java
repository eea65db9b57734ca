package shop;

import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;

/** A Spring Boot server with the description that springdoc generates. */
@SpringBootApplication
@RestController
public class ShopApplication {
  enum Status {
    OPEN,
    SHIPPED,
    CLOSED
  }

  record Item(
      @NotBlank @Size(max = 20) String sku,
      @NotNull @Min(1) @Max(99) Integer quantity,
      @DecimalMin("0.01") BigDecimal price) {}

  record Customer(
      @NotBlank @Email String email,
      @NotBlank @Size(min = 2, max = 40) String name,
      @Pattern(regexp = "^\\+[1-9][0-9]{6,14}$") String phone,
      LocalDate born,
      Instant seen,
      UUID device,
      URI site,
      Locality locality) {}

  record Locality(@Size(min = 2, max = 2) String country, @NotBlank String city) {}

  record Order(
      @NotNull @Valid Customer customer,
      @NotNull @Size(min = 1, max = 5) List<@Valid Item> items,
      Status status,
      OffsetDateTime due,
      BigDecimal discount,
      Double weight,
      Long points,
      Boolean gift,
      Set<String> tags,
      Map<String, Integer> counts) {}

  record Change(@Size(min = 1, max = 100) String note, Status status, BigDecimal discount) {}

  private final Set<String> emails = ConcurrentHashMap.newKeySet();

  public static void main(String[] args) {
    SpringApplication.run(ShopApplication.class, args);
  }

  @GetMapping(value = "/orders", produces = MediaType.APPLICATION_JSON_VALUE)
  List<Order> list(
      @RequestParam(required = false) Status status,
      @RequestParam(required = false) List<Status> any,
      @RequestParam(defaultValue = "1") @Min(1) @Max(1000) int page,
      @RequestParam(required = false) @DecimalMin("0") BigDecimal min,
      @RequestParam(required = false) @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate day,
      @RequestParam(required = false) UUID device,
      @RequestParam(required = false) Boolean gift,
      @RequestParam(required = false) @Size(min = 2, max = 20) String q,
      @RequestHeader(name = "X-Trace", required = false) UUID trace) {
    return List.of();
  }

  @PostMapping(value = "/orders", consumes = "application/json", produces = "application/json")
  @ResponseStatus(HttpStatus.CREATED)
  Order add(@Valid @RequestBody Order order) {
    if (!emails.add(order.customer().email())) {
      throw new ResponseStatusException(HttpStatus.CONFLICT);
    }
    return order;
  }

  @GetMapping("/orders/{id}")
  Map<String, Object> one(@PathVariable @Min(1) long id) {
    return Map.of("id", id);
  }

  @PatchMapping(value = "/orders/{id}", consumes = "application/json")
  Map<String, Object> change(@PathVariable @Min(1) long id, @Valid @RequestBody Change change) {
    return Map.of("id", id);
  }

  @DeleteMapping("/orders/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(@PathVariable @Min(1) long id, @RequestParam(required = false) String reason) {}

  @PutMapping(value = "/orders/{id}/invoice", consumes = "multipart/form-data")
  Map<String, Object> invoice(
      @PathVariable @Min(1) long id,
      @RequestPart(required = false) MultipartFile file,
      @RequestParam(required = false) String title) {
    return Map.of("id", id);
  }

  @PostMapping(value = "/orders/{id}/note", consumes = "text/plain")
  Map<String, Object> note(@PathVariable long id, @RequestBody String text) {
    return Map.of("id", id);
  }

  @GetMapping("/customers/{device}")
  Map<String, Object> customer(@PathVariable UUID device, @RequestParam LocalDate since) {
    return Map.of("device", device);
  }
}
