# frozen_string_literal: true

class Net::HTTP
  # Answers whose bodies are read: yielded part by part to a block, or appended to +destination+.

  def get(path, headers = nil, destination = nil, &block) = with_body(Get, path, nil, headers, destination, &block)

  def post(path, data, headers = nil, destination = nil, &block) = with_body(Post, path, data, headers, destination, &block)

  def patch(path, data, headers = nil, destination = nil, &block) = with_body(Patch, path, data, headers, destination, &block)

  def put(path, data, headers = nil) = request(Put.new(path, headers), data)

  def head(path, headers = nil) = request(Head.new(path, headers))

  def delete(path, headers = {"Depth" => "Infinity"}) = request(Delete.new(path, headers))

  def options(path, headers = nil) = request(Options.new(path, headers))

  def trace(path, headers = nil) = request(Trace.new(path, headers))

  def propfind(path, body = nil, headers = {"Depth" => "0"}) = request(Propfind.new(path, headers), body)

  def proppatch(path, body, headers = nil) = request(Proppatch.new(path, headers), body)

  def mkcol(path, body = nil, headers = nil) = request(Mkcol.new(path, headers), body)

  def copy(path, headers = nil) = request(Copy.new(path, headers))

  def move(path, headers = nil) = request(Move.new(path, headers))

  def lock(path, body, headers = nil) = request(Lock.new(path, headers), body)

  def unlock(path, body, headers = nil) = request(Unlock.new(path, headers), body)

  # Answers that a block may read.

  def request_get(path, headers = nil, &block) = request(Get.new(path, headers), &block)
  alias get2 request_get

  def request_head(path, headers = nil, &block) = request(Head.new(path, headers), &block)
  alias head2 request_head

  def request_post(path, data, headers = nil, &block) = request(Post.new(path, headers), data, &block)
  alias post2 request_post

  def request_put(path, data, headers = nil, &block) = request(Put.new(path, headers), data, &block)
  alias put2 request_put

  # A request of any method.
  def send_request(name, path, data = nil, headers = nil)
    request(Net::HTTPGenericRequest.new(name, !data.nil?, name != "HEAD", path, headers), data)
  end

  private

  def with_body(kind, path, data, headers, destination, &block)
    found = nil
    request(kind.new(path, headers), data) do |response|
      response.read_body(destination, &block)
      found = response
    end
    found
  end
end
