<?php

// covtool's recorder for PHP, to be copied. docs/php.md shows how to use it, docs/protocol.md what it writes.

declare(strict_types=1);

/** Records the requests and responses of an application in the folder that COVTOOL_TRAFFIC names. */
final class CovtoolRecorder
{
    private static ?string $folder = null;
    private static string $path = '';
    private static bool $failed = false;

    /** Begins to record if covtool runs the tests, which may change the working directory later. */
    public static function start(): void
    {
        $folder = (string) getenv('COVTOOL_TRAFFIC');
        if ($folder !== '' && self::$folder === null) {
            is_dir($folder) || @mkdir($folder, 0700, true);
            self::$folder = realpath($folder) ?: $folder;
            self::beginFile();
        }
    }

    /** Returns true if covtool runs the tests and recording hasn't failed. */
    public static function isActive(): bool
    {
        return self::$folder !== null && !self::$failed;
    }

    /**
     * Records one exchange and returns the application's response, or throws its exception.
     *
     * @param array<string, list<string|null>> $headers
     * @param callable(): mixed $answer
     * @param callable(mixed): array{int, array<string, list<string|null>>, ?string} $describe returns the status,
     *     header fields and body of a response; null for a body that can't be read without changing it
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

    /** Returns the contents of a PSR-7 stream without moving its position; null if too long or not rereadable. */
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
        $limit = (string) getenv('COVTOOL_BODY_LIMIT');
        return preg_match('/^\d+$/', $limit) ? (int) $limit : 1 << 20;
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

    /** Finds the running PHPUnit test, which called the application. */
    private static function runningTest(): array
    {
        foreach (debug_backtrace() as $frame) {
            $test = $frame['object'] ?? null;
            if (!$test instanceof PHPUnit\Framework\TestCase) {
                continue;
            }
            // Since PHPUnit 10, and before.
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
        if (!str_contains(self::$path, 'traffic-' . getmypid() . '-')) {
            self::beginFile(); // this process was forked
        }
        self::write($line + self::runningTest());
    }

    private static function beginFile(): void
    {
        self::$path = self::$folder . '/traffic-' . getmypid() . '-' . bin2hex(random_bytes(8));
        @touch(self::$path . '.ndjson') && chmod(self::$path . '.ndjson', 0600);
        self::write(['covtool' => 1, 'recorder' => 'php 0.1.0']);
    }

    private static function write(array $line): void
    {
        $text = json_encode($line, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE) . "\n";
        if (!self::$failed && @file_put_contents(self::$path . '.ndjson', $text, FILE_APPEND) !== strlen($text)) {
            self::stop(error_get_last()['message'] ?? 'the disk is full');
        }
    }

    /** Stops recording, and prints the reason once, at the end. */
    private static function stop(string $reason): void
    {
        self::$failed = true;
        $problem = "The recorder for PHP stopped recording: $reason";
        @file_put_contents(self::$path . '.problems', json_encode($problem) . "\n");
        register_shutdown_function(static fn () => file_put_contents('php://stderr', "covtool: $problem\n"));
    }
}

CovtoolRecorder::start();

if (interface_exists(Psr\Http\Server\MiddlewareInterface::class)) {
    /** The recorder as a PSR-15 middleware, to be the outermost one of Slim, Mezzio and others. */
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

/** The recorder as a Laravel middleware; it works wherever requests and responses are those of Symfony. */
final class CovtoolLaravelMiddleware
{
    public function handle(Symfony\Component\HttpFoundation\Request $request, callable $next): mixed
    {
        if (!CovtoolRecorder::isActive()) {
            return $next($request);
        }
        $body = $request->getContent();
        // In tests, forms exist only as parsed values.
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
