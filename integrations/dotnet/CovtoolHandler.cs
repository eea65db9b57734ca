// covtool's recorder for HttpClient, to be copied. docs/dotnet.md shows how to use it, docs/protocol.md what it writes.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

/// <summary>Records the requests and responses of an HttpClient in the folder that COVTOOL_TRAFFIC names.</summary>
public sealed class CovtoolHandler : DelegatingHandler
{
    /// <summary>Returns the name of the running test, or null if there is none.</summary>
    public static Func<string> TestName = () => null;

    private static readonly int Limit = ReadLimit();
    private static readonly string Folder = Environment.GetEnvironmentVariable("COVTOOL_TRAFFIC");
    /// <summary>Header fields that HttpClientHandler adds after this handler.</summary>
    private static readonly string[] Unseen = { "accept-encoding", "cookie", "host" };
    private static readonly object Lock = new object();
    private static FileStream file;
    private static string path, problem;

    public CovtoolHandler()
    {
        Append(null);
    }

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken token)
    {
        if (string.IsNullOrEmpty(Folder) || problem != null) return await base.SendAsync(request, token);

        var line = new Dictionary<string, object>();
        var sent = new Dictionary<string, object>
        {
            ["method"] = request.Method.Method,
            ["url"] = request.RequestUri.AbsoluteUri,
        };
        // Content with a length is in memory or a file, and can be read twice; a stream is left to the client.
        if (request.Content?.Headers.ContentLength is long length && length > 0)
            AddBody(sent, length > Limit ? null : await request.Content.ReadAsByteArrayAsync());
        else if (request.Content != null && request.Content.Headers.ContentLength == null)
            AddBody(sent, null);
        sent["headers"] = Pairs(request.Headers, request.Content?.Headers);
        line["request"] = sent;
        line["timestamp"] = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() / 1000.0;
        if (TestName() is string name) line["test"] = new Dictionary<string, object> { ["name"] = name };
        var clock = Stopwatch.StartNew();
        HttpResponseMessage response;
        try
        {
            response = await base.SendAsync(request, token);
        }
        catch
        {
            Append(line);
            throw;
        }
        var answer = new Dictionary<string, object>
        {
            ["status_code"] = (int)response.StatusCode,
            ["elapsed"] = clock.Elapsed.TotalSeconds,
            ["headers"] = Pairs(response.Headers, response.Content?.Headers),
        };
        line["response"] = answer;
        if (response.Content == null)
        {
            Append(line);
            return response;
        }
        var copy = new StreamContent(new CopiedStream(await response.Content.ReadAsStreamAsync(), bytes =>
        {
            AddBody(answer, bytes);
            Append(line);
        }));
        foreach (var header in response.Content.Headers) copy.Headers.TryAddWithoutValidation(header.Key, header.Value);
        response.Content = copy;
        return response;
    }

    private static int ReadLimit()
    {
        return int.TryParse(Environment.GetEnvironmentVariable("COVTOOL_BODY_LIMIT"), out var limit) ? limit : 1 << 20;
    }

    private static void AddBody(Dictionary<string, object> message, byte[] bytes)
    {
        if (bytes == null) message["body_truncated"] = true;
        else message["body_base64"] = Convert.ToBase64String(bytes);
    }

    private static List<string[]> Pairs(params HttpHeaders[] all)
    {
        return (from headers in all
                where headers != null
                from header in headers
                // Other fields are lists separated by commas; User-Agent is one separated by spaces.
                from value in header.Key == "Set-Cookie" ? header.Value : new[] { Join(header) }
                select new[] { header.Key, value }).ToList();
    }

    private static string Join(KeyValuePair<string, IEnumerable<string>> header)
    {
        return string.Join(header.Key == "User-Agent" ? " " : ", ", header.Value);
    }

    /// <summary>Appends a line to the file of this process.</summary>
    private static void Append(Dictionary<string, object> line)
    {
        if (string.IsNullOrEmpty(Folder)) return;
        lock (Lock)
        {
            if (problem != null) return;
            try
            {
                if (file == null)
                {
                    var name = $"traffic-{Process.GetCurrentProcess().Id}-{Guid.NewGuid():N}";
                    path = Path.Combine(Path.GetFullPath(Folder), name);
                    Directory.CreateDirectory(Folder);
                    file = new FileStream(path + ".ndjson", FileMode.CreateNew, FileAccess.Write, FileShare.Read, 1);
                    Write(new Dictionary<string, object>
                    {
                        ["covtool"] = 1,
                        ["recorder"] = "dotnet 0.1.0",
                        ["shows"] = new { request_headers = new { all_but = Unseen } },
                    });
                }
                if (line != null) Write(line);
            }
            catch (Exception error)
            {
                problem = $"The recorder for .NET stopped recording in {Folder}: {error.Message}";
                Console.Error.WriteLine("covtool: " + problem);
                try { File.WriteAllText(path + ".problems", JsonSerializer.Serialize(problem) + "\n"); }
                catch (Exception) { /* the problem is on standard error */ }
            }
        }
    }

    private static void Write(Dictionary<string, object> line)
    {
        var bytes = Encoding.UTF8.GetBytes(JsonSerializer.Serialize(line) + "\n");
        file.Write(bytes, 0, bytes.Length);
        file.Flush();
    }

    /// <summary>A body that is copied as it is read. Calls end once with the bytes, or null if some are missing.</summary>
    private sealed class CopiedStream : Stream
    {
        private readonly Stream source;
        private readonly MemoryStream copy = new MemoryStream();
        private Action<byte[]> end;

        public CopiedStream(Stream source, Action<byte[]> end)
        {
            this.source = source;
            this.end = end;
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            return Note(source.Read(buffer, offset, count), buffer, offset);
        }

        public override async Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken token)
        {
            return Note(await source.ReadAsync(buffer, offset, count, token), buffer, offset);
        }

        private int Note(int read, byte[] buffer, int offset)
        {
            if (copy.Length <= Limit) copy.Write(buffer, offset, read);
            if (read == 0) End(copy.Length > Limit ? null : copy.ToArray());
            return read;
        }

        private void End(byte[] bytes)
        {
            Interlocked.Exchange(ref end, null)?.Invoke(bytes);
        }

        protected override void Dispose(bool disposing)
        {
            End(null);
            source.Dispose();
            base.Dispose(disposing);
        }

        public override bool CanRead => true;
        public override bool CanSeek => false;
        public override bool CanWrite => false;
        public override long Length => throw new NotSupportedException();
        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }
        public override void Flush() { }
        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();
        public override void SetLength(long value) => throw new NotSupportedException();
        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
