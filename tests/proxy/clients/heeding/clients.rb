# Asks a server once by each client, with the client's name as the path.
require "net/http"
require "open-uri"

[["Net::HTTP", Net::HTTP.method(:get)], ["open-uri", ->(url) { url.open.read }]].each do |name, ask|
  ask.call(URI("#{ARGV[0]}/#{name}"))
rescue SocketError, SystemCallError, OpenURI::HTTPError
  next # it is seen by what arrives
end
