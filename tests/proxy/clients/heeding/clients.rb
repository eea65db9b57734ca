# Sends one request with each client, with the client's name as the path.
require "net/http"
require "open-uri"

[["Net::HTTP", Net::HTTP.method(:get)], ["open-uri", ->(url) { url.open.read }]].each do |name, ask|
  ask.call(URI("#{ARGV[0]}/#{name}"))
rescue SocketError, SystemCallError, OpenURI::HTTPError
  next # the server shows which requests arrive
end
