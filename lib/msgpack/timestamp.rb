require "msgpack"
