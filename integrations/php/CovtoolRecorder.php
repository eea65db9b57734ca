<?php

// A recorder of covtool for PHP, to copy: docs/php.md tells how to use it, docs/protocol.md what it writes.

declare(strict_types=1);

/** Writes what an application is asked and answers into the folder that COVTOOL_TRAFFIC names. */
final class CovtoolRecorder
{
    private static ?string $path = null;
    private static bool $failed = false;

    /** True where covtool runs the tests. */
    public static function isActive(): bool
    {
        return (string) getenv('COVTOOL_TRAFFIC') !== '' && !self::$failed;
    }

    /**
     * Records one exchange and returns the answer, or throws what the application throws.
     *
     * @param array<string, list<string|null>> $headers
     * @param callable(): mixed $answer
     * @param callable(mixed): array{int, array<string, list<string|null>>, ?string} $describe the status, header fields
     *     and body of an answer; null for a body that can't be read without changing it
     */
    public static function record(
        string $method, string $url, array $headers, ?string $body, callable $answer, callable $describe
    ): mixed {
        $request = ['method' => $method, 'url' => $url, 'headers' => self::pairs($headers)];
        $line = ['request' => $body === '' ? $request : $request + self::body($body), 'timestamp' => microtime(true)];
        $started = hrtime(true);
        try {
            $result = $answer();
            $elapsed = (hrtime(true) - $started) / 1e9;
            $line['response'] = static function () use ($describe, $result, $elapsed): array {
                [$status, $fields, $content] = $describe($result);
                return ['status_code' => $status, 'elapsed' => $elapsed, 'headers' => self::pairs($fields)]
                    + self::body($content);
            };
            return $result;
        } finally {
            try {
                self::append(array_map(static fn ($part) => $part instanceof Closure ? $part() : $part, $line));
            } catch (Throwable $error) {
                self::stop($error->getMessage());
            }
        }
    }

    /** What a stream of PSR-7 holds, which stays where it is. */
    public static function contents(Psr\Http\Message\StreamInterface $stream): ?string
    {
        if (!$stream->isSeekable() || !$stream->isReadable() || $stream->getSize() > self::limit()) {
            return $stream->getSize() === 0 ? '' : null;
        }
        $position = $stream->tell();
        $stream->rewind();
        $contents = $stream->getContents();
        $stream->seek($position);
        return $contents;
    }

    private static function limit(): int
    {
        return (int) (getenv('COVTOOL_BODY_LIMIT') ?: 1 << 20);
    }

    /** @return array<string, mixed> */
    private static function body(?string $bytes): array
    {
        return $bytes === null || strlen($bytes) > self::limit()
            ? ['body_truncated' => true]
            : ['body_base64' => base64_encode($bytes)];
    }

    /** @return list<array{string, string}> */
    private static function pairs(array $headers): array
    {
        $pairs = [];
        foreach ($headers as $name => $values) {
            foreach ($values as $value) {
                $pairs[] = [(string) $name, (string) $value];
            }
        }
        return $pairs;
    }

    /** The test of PHPUnit that is running, which called the application. */
    private static function runningTest(): array
    {
        foreach (debug_backtrace() as $frame) {
            $test = $frame['object'] ?? null;
            if (!$test instanceof PHPUnit\Framework\TestCase) {
                continue;
            }
            // Until PHPUnit 9, and since.
            [$name, $method] = method_exists($test, 'nameWithDataSet')
                ? [$test->nameWithDataSet(), $test->name()]
                : [$test->getName(), $test->getName(false)];
            $place = new ReflectionMethod($test, $method);
            $file = str_replace(getcwd() . DIRECTORY_SEPARATOR, '', (string) $place->getFileName());
            return ['test' => [
                'name' => $test::class . '::' . $name,
                'file' => str_replace('\\', '/', $file),
                'line' => $place->getStartLine(),
            ]];
        }
        return [];
    }

    private static function append(array $line): void
    {
        $folder = (string) getenv('COVTOOL_TRAFFIC');
        if (self::$path === null || !str_contains(self::$path, 'traffic-' . getmypid() . '-')) {
            self::$path = "$folder/traffic-" . getmypid() . '-' . bin2hex(random_bytes(8));
            is_dir($folder) || @mkdir($folder, 0700, true);
            @touch(self::$path . '.ndjson') && chmod(self::$path . '.ndjson', 0600);
            self::write(['covtool' => 1, 'recorder' => 'php 0.1.0']);
        }
        self::write($line + self::runningTest());
    }

    private static function write(array $line): void
    {
        $text = json_encode($line, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE) . "\n";
        if (!self::$failed && @file_put_contents(self::$path . '.ndjson', $text, FILE_APPEND) !== strlen($text)) {
            self::stop(error_get_last()['message'] ?? 'the disk is full');
        }
    }

    /** Says once, at the end, why nothing more is recorded. */
    private static function stop(string $reason): void
    {
        self::$failed = true;
        $problem = "The recorder for PHP stopped recording: $reason";
        @file_put_contents(self::$path . '.problems', json_encode($problem) . "\n");
        register_shutdown_function(static fn () => fwrite(STDERR, "covtool: $problem\n"));
    }
}

if (interface_exists(Psr\Http\Server\MiddlewareInterface::class)) {
    /** The recorder as a middleware of PSR-15: the outermost one of Slim, Mezzio and others. */
    final class CovtoolMiddleware implements Psr\Http\Server\MiddlewareInterface
    {
        public function process(
            Psr\Http\Message\ServerRequestInterface $request, Psr\Http\Server\RequestHandlerInterface $handler
        ): Psr\Http\Message\ResponseInterface {
            return !CovtoolRecorder::isActive() ? $handler->handle($request) : CovtoolRecorder::record(
                $request->getMethod(),
                (string) $request->getUri(),
                $request->getHeaders(),
                CovtoolRecorder::contents($request->getBody()),
                static fn () => $handler->handle($request),
                static fn ($response) => [
                    $response->getStatusCode(), $response->getHeaders(), CovtoolRecorder::contents($response->getBody()),
                ],
            );
        }
    }
}

/** The recorder as a middleware of Laravel, and for anything else that has requests and responses of Symfony. */
final class CovtoolLaravelMiddleware
{
    public function handle(Symfony\Component\HttpFoundation\Request $request, callable $next): mixed
    {
        if (!CovtoolRecorder::isActive()) {
            return $next($request);
        }
        $body = $request->getContent();
        // Forms of tests are only there as values.
        if ($body === '' && $request->request->count() > 0) {
            $body = http_build_query($request->request->all());
        }
        return CovtoolRecorder::record(
            $request->getMethod(),
            $request->getSchemeAndHttpHost() . $request->getRequestUri(),
            $request->headers->all(),
            $request->files->count() > 0 ? null : $body,
            static fn () => $next($request),
            static fn ($response) => [
                $response->getStatusCode(),
                $response->headers->all(),
                $response->getContent() === false ? null : $response->getContent(),
            ],
        );
    }
}
