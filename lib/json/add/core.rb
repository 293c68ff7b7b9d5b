# All of the core classes that have no JSON of their own.
%w[complex date date_time exception range rational regexp string struct symbol time].each { |name| require "json/add/#{name}" }
