// Sends the cases of the conformance set with HttpClient, recorded by the handler of docs/dotnet.md. Compiles in Mono,
// which has no System.Text.Json, so a few lines replace it.
using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;
using System.Web.Script.Serialization;

namespace System.Text.Json
{
    public static class JsonSerializer
    {
        public static string Serialize(object value)
        {
            return new JavaScriptSerializer { MaxJsonLength = int.MaxValue }.Serialize(value);
        }
    }
}

public static class Conformance
{
    private static string running;

    public static void Main(string[] args)
    {
        CovtoolHandler.TestName = () => running;
        var text = File.ReadAllText(args[1]);
        var json = (Dictionary<string, object>)new JavaScriptSerializer { MaxJsonLength = int.MaxValue }.DeserializeObject(text);
        var without = (args.Length > 2 ? args[2] : "").Split(',');
        foreach (Dictionary<string, object> one in (IEnumerable)json["cases"])
        {
            var needs = one.ContainsKey("needs") ? ((IEnumerable)one["needs"]).Cast<string>() : new string[0];
            if (needs.Append((string)one["id"]).Intersect(without).Any()) continue;
            running = (string)one["id"];
            var first = (Dictionary<string, object>)((IEnumerable)one["exchanges"]).Cast<object>().First();
            var times = one.ContainsKey("times") ? (int)one["times"] : 1;
            for (var n = 0; n < times; n++) Send(args[0], one, first, n).Wait();
        }
    }

    private static async Task Send(string server, Dictionary<string, object> one, Dictionary<string, object> exchange, int n)
    {
        var message = (Dictionary<string, object>)exchange["request"];
        Func<string, string> number = value => one.ContainsKey("times") ? value.Replace("{n}", n.ToString()) : value;
        var request = new HttpRequestMessage(
            new HttpMethod((string)message["method"]), new Uri(server + number((string)message["path"])));
        var body = Body(message, number);
        if (body.Length > 0) request.Content = new ByteArrayContent(body);
        foreach (object[] pair in message.ContainsKey("headers") ? (object[])message["headers"] : new object[0])
        {
            if (!request.Headers.TryAddWithoutValidation((string)pair[0], (string)pair[1]))
                request.Content?.Headers.TryAddWithoutValidation((string)pair[0], (string)pair[1]);
        }
        if (message.ContainsKey("gzip")) request.Content.Headers.TryAddWithoutValidation("Content-Encoding", "gzip");
        using (var client = new HttpClient(new CovtoolHandler { InnerHandler = Inner }, false))
        {
            try
            {
                var response = await client.SendAsync(request);
                var expected = (Dictionary<string, object>)exchange["response"];
                var got = await response.Content.ReadAsByteArrayAsync();
                if ((int)response.StatusCode != (int)expected["status_code"]) throw new Exception($"{running}: {response.StatusCode}");
                if (message["method"].Equals("HEAD")) return;
                if (!got.SequenceEqual(Body(expected, number)) && !expected.ContainsKey("gzip")) throw new Exception($"{running}: another body");
            }
            catch (HttpRequestException) when (!exchange.ContainsKey("response")) { }
        }
    }

    private static readonly HttpClientHandler Inner = new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false };

    private static byte[] Body(Dictionary<string, object> message, Func<string, string> number)
    {
        var body = Encoding.UTF8.GetBytes(message.ContainsKey("body") ? number((string)message["body"]) : "");
        if (message.ContainsKey("body_base64")) body = Convert.FromBase64String((string)message["body_base64"]);
        if (message.ContainsKey("repeat")) body = Encoding.UTF8.GetBytes(Repeat((object[])message["repeat"]));
        if (message.ContainsKey("chunks"))
            body = Encoding.UTF8.GetBytes(string.Concat(((object[])message["chunks"]).Select(piece => piece as string ?? Repeat((object[])piece))));
        if (!message.ContainsKey("gzip")) return body;
        using (var packed = new MemoryStream())
        {
            using (var gzip = new GZipStream(packed, CompressionMode.Compress)) gzip.Write(body, 0, body.Length);
            return packed.ToArray();
        }
    }

    private static string Repeat(object[] piece)
    {
        return string.Concat(Enumerable.Repeat((string)piece[0], (int)piece[1]));
    }
}
