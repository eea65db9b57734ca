<?php

// Sends the cases of the conformance set through a middleware in docs/php.md: that for PSR-15, or with
// CONFORMANCE_CLIENT=laravel, that for Laravel.

declare(strict_types=1);

// Debian's packages are in the include path.
require_once 'Nyholm/Psr7/autoload.php';
require_once 'Symfony/Component/HttpFoundation/autoload.php';
require_once __DIR__ . '/../../../integrations/php/CovtoolRecorder.php';

use Nyholm\Psr7\Response;
use Nyholm\Psr7\ServerRequest;
use PHPUnit\Framework\TestCase;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;
use Symfony\Component\HttpFoundation\Response as SymfonyResponse;

final class ConformanceTest extends TestCase
{
    public static function cases(): array
    {
        $cases = [];
        $without = explode(',', (string) getenv('CONFORMANCE_WITHOUT'));
        foreach (self::all() as $case) {
            if (array_intersect($without, [$case['id'], ...$case['needs'] ?? []]) === []) {
                $cases[$case['id']] = [$case];
            }
        }
        return $cases;
    }

    /** @dataProvider cases */
    public function testCase(array $case): void
    {
        [$first] = $case['exchanges'];
        if (!isset($first['response'])) {
            $this->expectExceptionMessage('broken');
        }
        for ($n = 0; $n < ($case['times'] ?? 1); $n++) {
            $request = self::numbered($first['request'], $n);
            [$status, $body] = getenv('CONFORMANCE_CLIENT') === 'laravel' ? self::laravel($request) : self::psr($request);
        }
        $this->assertSame($first['response']['status_code'], $status);
        if (!isset($case['times'])) {
            $this->assertSame($request['method'] === 'HEAD' ? '' : self::bytes($first['response']), $body);
        }
    }

    /** @return array{int, string} */
    private static function psr(array $message): array
    {
        $request = new ServerRequest($message['method'], 'http://localhost' . $message['path'], [], self::bytes($message));
        foreach (self::headers($message) as [$name, $value]) {
            $request = $request->withAddedHeader($name, $value);
        }
        $application = new class implements RequestHandlerInterface {
            public function handle(ServerRequestInterface $request): ResponseInterface
            {
                $answer = ConformanceTest::answer($request->getMethod(), $request->getRequestTarget());
                $body = $request->getMethod() === 'HEAD' ? '' : ConformanceTest::bytes($answer);
                $response = new Response($answer['status_code'], [], $body);
                foreach (ConformanceTest::headers($answer) as [$name, $value]) {
                    $response = $response->withAddedHeader($name, $value);
                }
                return $response;
            }
        };
        $response = (new CovtoolMiddleware())->process($request, $application);
        return [$response->getStatusCode(), (string) $response->getBody()];
    }

    /** @return array{int, string} */
    private static function laravel(array $message): array
    {
        $url = 'http://localhost' . $message['path'];
        $request = SymfonyRequest::create($url, $message['method'], [], [], [], [], self::bytes($message));
        foreach (['Content-Type', 'Accept'] as $name) {
            $request->headers->remove($name);
        }
        foreach (self::headers($message) as [$name, $value]) {
            $request->headers->set($name, $value, false);
        }
        $response = (new CovtoolLaravelMiddleware())->handle($request, static function (SymfonyRequest $request) {
            $answer = ConformanceTest::answer($request->getMethod(), $request->getRequestUri());
            $body = $request->getMethod() === 'HEAD' ? '' : ConformanceTest::bytes($answer);
            $response = new SymfonyResponse($body, $answer['status_code']);
            foreach (ConformanceTest::headers($answer) as [$name, $value]) {
                $response->headers->set($name, $value, false);
            }
            return $response;
        });
        return [$response->getStatusCode(), $response->getContent()];
    }

    /** The set's response to a request. */
    public static function answer(string $method, string $target): array
    {
        static $answers = null;
        $answers ??= self::answers();
        return $answers["$method $target"] ?? throw new RuntimeException('broken');
    }

    private static function answers(): array
    {
        $answers = [];
        foreach (self::all() as $case) {
            for ($n = 0; $n < ($case['times'] ?? 1); $n++) {
                foreach ($case['exchanges'] as $exchange) {
                    $one = isset($case['times']) ? self::numbered($exchange, $n) : $exchange;
                    $answers[$one['request']['method'] . ' ' . $one['request']['path']] = $one['response'] ?? null;
                }
            }
        }
        return $answers;
    }

    private static function numbered(array $exchange, int $n): array
    {
        return json_decode(str_replace('{n}', (string) $n, json_encode($exchange)), true);
    }

    private static function all(): array
    {
        return json_decode(file_get_contents(__DIR__ . '/../conformance/cases.json'), true)['cases'];
    }

    public static function headers(array $message): array
    {
        $gzip = isset($message['gzip']) ? [['Content-Encoding', 'gzip']] : [];
        return [...$message['headers'] ?? [], ...$gzip];
    }

    public static function bytes(array $message): string
    {
        $body = $message['body'] ?? '';
        if (isset($message['body_base64'])) {
            $body = base64_decode($message['body_base64']);
        } elseif (isset($message['repeat'])) {
            $body = str_repeat(...$message['repeat']);
        } elseif (isset($message['chunks'])) {
            $pieces = array_map(static fn ($one) => is_array($one) ? str_repeat(...$one) : $one, $message['chunks']);
            $body = implode('', $pieces);
        }
        return isset($message['gzip']) ? gzencode($body) : $body;
    }
}
