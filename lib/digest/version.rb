require "digest"
