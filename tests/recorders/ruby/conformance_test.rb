# Sends the cases of the conformance set with rack-test to an application recorded by the file in docs/ruby.md.
require "json"
require "minitest/autorun"
require "rack/test"
require "stringio"
require "zlib"
require_relative "../../../integrations/ruby/covtool_recorder"

CASES = JSON.parse(File.read(File.join(__dir__, "../conformance/cases.json"))).fetch("cases")
WITHOUT = ENV.fetch("CONFORMANCE_WITHOUT", "").split(",")
Broken = Class.new(StandardError)

def exchanges
  CASES.flat_map do |one|
    next one["exchanges"] unless one["times"]
    (0...one["times"]).flat_map { |n| JSON.parse(JSON.generate(one["exchanges"]).gsub("{n}", n.to_s)) }
  end
end

def pieces(message)
  return message["chunks"].map { |piece| piece.is_a?(String) ? piece : piece[0] * piece[1] } if message["chunks"]
  body = (message["body"] || "").b
  body = message["body_base64"].unpack1("m") if message["body_base64"]
  body = message["repeat"][0].b * message["repeat"][1] if message["repeat"]
  [message["gzip"] ? Zlib.gzip(body) : body]
end

def fields(message)
  message.fetch("headers", []) + (message["gzip"] ? [%w[Content-Encoding gzip]] : [])
end

ANSWERS = exchanges.to_h { |one| [one["request"].values_at("method", "path"), one["response"]] }

# A response that is generated while it is read.
Stream = Struct.new(:pieces) { def each(&block) = pieces.each(&block) }

APP = lambda do |env|
  request = Rack::Request.new(env)
  answer = ANSWERS.fetch([request.request_method, request.fullpath]) or raise Broken
  # In Rack 2, each line of a field is a value.
  headers = fields(answer).group_by(&:first).transform_values { |all| all.map(&:last).join("\n") }
  body = request.head? || answer["status_code"] == 204 ? [] : pieces(answer)
  [answer["status_code"], headers, answer["chunks"] ? Stream.new(body) : body]
end

Minitest::Test.include(CovtoolRecorder::Names)

class ConformanceTest < Minitest::Test
  include Rack::Test::Methods

  def app = @app ||= CovtoolRecorder.new(APP)

  def ask(message)
    environment = fields(message).to_h do |name, value|
      [name == "Content-Type" ? "CONTENT_TYPE" : "HTTP_#{name.upcase.tr("-", "_")}", value]
    end
    body = pieces(message).join
    environment["CONTENT_LENGTH"] = body.bytesize.to_s unless body.empty?
    custom_request(message["method"], message["path"], nil, { :input => body, **environment })
  end

  CASES.each do |one|
    next if (WITHOUT & [one["id"], *one["needs"]]).any?
    define_method("test_#{one["id"]}") do
      first = one["exchanges"][0]
      next assert_raises(Broken) { ask(first["request"]) } unless first["response"]
      (one["times"] || 1).times { |n| ask(JSON.parse(JSON.generate(first["request"]).gsub("{n}", n.to_s))) }
      follow_redirect! while one["follow_redirects"] && last_response.redirect?
      answer = one["exchanges"].last["response"]
      assert_equal(answer["status_code"], last_response.status)
      expected = last_request.head? || answer["status_code"] == 204 ? "".b : pieces(answer).join.b
      assert_equal(expected, last_response.body.b) unless one["times"]
    end
  end
end
