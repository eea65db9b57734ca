# covtool's recorder for Rack, to be copied. docs/ruby.md shows how to use it, docs/protocol.md what it writes.
require "delegate"
require "fileutils"
require "json"
require "securerandom"

# Records the requests and responses of a Rack application in the folder that COVTOOL_TRAFFIC names.
class CovtoolRecorder
  FOLDER = ENV["COVTOOL_TRAFFIC"].to_s.then { |folder| File.expand_path(folder) unless folder.empty? }
  LIMIT = ENV["COVTOOL_BODY_LIMIT"].to_s[/\A\d+\z/]&.to_i || 1 << 20
  LOCK = Mutex.new

  class << self
    # The running test: { name:, file:, line: }.
    attr_accessor :test

    # Appends a line to the file of this process; a forked process begins its own file.
    def append(line = nil)
      LOCK.synchronize do
        return if @failed
        begin_file if @pid != Process.pid
        @file.syswrite("#{JSON.generate(line)}\n") if line
      rescue SystemCallError, IOError, JSON::GeneratorError => error
        stop(error)
      end
    end

    # The body of a message: all of its bytes, or a note that some are missing.
    def body(bytes, whole)
      whole && bytes.bytesize <= LIMIT ? { body_base64: [bytes].pack("m0") } : { body_truncated: true }
    end

    # The text of a header field or a URL, whose bytes needn't be UTF-8.
    def text(value)
      text = value.to_s.b.force_encoding("UTF-8")
      text.valid_encoding? ? text : text.encode("UTF-8", "ISO-8859-1")
    end

    private

    def begin_file
      @pid = Process.pid
      @path = File.join(FOLDER, "traffic-#{@pid}-#{SecureRandom.hex(8)}")
      FileUtils.mkdir_p(FOLDER, mode: 0o700)
      @file = File.open("#{@path}.ndjson", File::WRONLY | File::APPEND | File::CREAT, 0o600)
      @file.syswrite("#{JSON.generate({ covtool: 1, recorder: "rack 0.1.0" })}\n")
    end

    def stop(error)
      @failed = true
      problem = "The recorder for Ruby stopped recording in #{FOLDER}: #{error.message}"
      at_exit { warn("covtool: #{problem}") }
      File.write("#{@path}.problems", "#{JSON.generate(problem)}\n")
    rescue SystemCallError
      nil # the problem is printed at the end all the same
    end
  end

  # Names the running test. In Minitest: Minitest::Test.include(CovtoolRecorder::Names)
  module Names
    def before_setup
      file, line = method(name).source_location
      CovtoolRecorder.test = { name: "#{self.class}##{name}", file: file.delete_prefix("#{Dir.pwd}/"), line: line }
      super
    end

    def after_teardown
      super
      CovtoolRecorder.test = nil
    end
  end

  # Names the running example. In RSpec: RSpec.configure { |config| CovtoolRecorder.name_examples(config) }
  def self.name_examples(config)
    config.around do |example|
      file, line = example.metadata.values_at(:file_path, :line_number)
      CovtoolRecorder.test = { name: example.full_description, file: file.delete_prefix("./"), line: line }
      example.run
    ensure
      CovtoolRecorder.test = nil
    end
  end

  def initialize(app)
    @app = app
    self.class.append if FOLDER
  end

  def call(env)
    return @app.call(env) unless FOLDER

    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    now = Process.clock_gettime(Process::CLOCK_REALTIME)
    line = { request: request(env), timestamp: now, test: self.class.test }.compact
    begin
      status, headers, body = answer = @app.call(env)
    rescue Exception
      self.class.append(line)
      raise
    end
    elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
    line[:response] = { status_code: status.to_i, elapsed: elapsed, headers: pairs(headers) }
    copy = Copy.new(body, line)
    # In Rack 3, a body that has no parts writes to the connection by itself.
    return [status, headers, copy] if body.respond_to?(:each) && !body.respond_to?(:to_ary)

    parts = body.to_ary.each { |part| copy.note(part) } if body.respond_to?(:to_ary)
    copy.finish(!parts.nil?)
    return answer unless parts && body.respond_to?(:close)

    # In Rack 3, the body is closed by now; in Rack 2, it has yet to be.
    [status, headers, parts.dup.tap { |list| list.define_singleton_method(:close) { body.close } }]
  end

  private

  def request(env)
    target, query = ["#{env["SCRIPT_NAME"]}#{env["PATH_INFO"]}", env["QUERY_STRING"]].map { |part| self.class.text(part) }
    target += "?#{query}" unless query.empty?
    host = self.class.text(env["HTTP_HOST"] || "#{env["SERVER_NAME"]}:#{env["SERVER_PORT"]}")
    fields = env.filter_map do |name, value|
      name = name[/\AHTTP_(?!VERSION\z)(.+)|\A(CONTENT_(?:TYPE|LENGTH))\z/] && ($1 || $2)
      [name.split("_").map(&:capitalize).join("-"), self.class.text(value)] if name
    end
    { method: env["REQUEST_METHOD"], url: "#{env["rack.url_scheme"]}://#{host}#{target}", headers: fields, **sent(env) }
  end

  # Servers and test clients have the whole body before they call an application, so it can be read twice.
  def sent(env)
    input = env["rack.input"]
    return env["CONTENT_LENGTH"].to_i.positive? ? { body_truncated: true } : {} unless input.respond_to?(:rewind)

    bytes = input.read(LIMIT + 1).to_s
    input.rewind
    bytes.empty? ? {} : self.class.body(bytes, true)
  end

  def pairs(headers)
    # A line feed separates values in Rack 2.
    headers.flat_map do |name, values|
      Array(values).flat_map { |value| value.to_s == "" ? [""] : self.class.text(value).split("\n") }
        .map { |value| [name, value] }
    end
  end

  # A response body that is copied as it passes.
  class Copy < SimpleDelegator
    def initialize(body, line)
      super(body)
      @line = line
      @bytes = String.new
    end

    def each
      __getobj__.each do |part|
        note(part)
        yield part
      end
      @whole = true
    end

    def close
      __getobj__.close if __getobj__.respond_to?(:close)
    ensure
      finish(@whole)
    end

    def note(part) = @bytes << part.b

    def finish(whole)
      line, @line = @line, nil
      CovtoolRecorder.append(line) if line&.fetch(:response)&.merge!(CovtoolRecorder.body(@bytes, whole))
    end
  end
end
