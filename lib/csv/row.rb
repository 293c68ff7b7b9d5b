# frozen_string_literal: true

class CSV
  # Fields with their headers, in order; several may have one header.
  class Row
    extend Forwardable
    include Enumerable

    attr_reader :row
    protected :row

    def initialize(headers, fields, header_row = false)
      @is_header_row = header_row
      headers, fields = [headers, fields].map { |list| list.is_a?(Array) ? list : [*list] }
      headers = headers.map { |header| header.is_a?(String) && !header.frozen? ? -header : header }
      size = [headers.size, fields.size].max
      @row = Array.new(size) { |at| [headers[at], fields[at]] }
    end

    def initialize_copy(other)
      super
      @row = @row.map(&:dup)
    end

    def_delegators :@row, :empty?, :length, :size

    def header_row? = @is_header_row

    def field_row? = !@is_header_row

    def headers = @row.map(&:first)

    # The field below a header or at an index; of several the first one from an index on.
    def field(header_or_index, minimum_index = 0)
      case header_or_index
      when Integer then @row[header_or_index]&.last
      when Range then @row[header_or_index]&.map(&:last)
      else @row[minimum_index..]&.assoc(header_or_index)&.last
      end
    end
    alias [] field

    def fetch(header, *default)
      raise ArgumentError, "Too many arguments" if default.size > 1
      pair = @row.assoc(header)
      return pair.last if pair
      return yield(header) if block_given?
      return default.first unless default.empty?
      raise KeyError, "key not found: #{header}"
    end

    def has_header?(header) = !@row.assoc(header).nil?
    alias include? has_header?
    alias key? has_header?
    alias member? has_header?
    alias header? has_header?
    alias has_key? has_header?

    def []=(*where, value)
      header, minimum = where
      if header.is_a?(Integer)
        @row[header] = [@row[header]&.first, value]
        @row.map! { |pair| pair || [nil, nil] }
      elsif (at = index(header, minimum || 0))
        @row[at] = [header, value]
      else
        self << [header, value]
      end
    end

    # A pair of header and field, as an array or a hash, or a field without a header.
    def <<(pair)
      pair = pair.first if pair.is_a?(Hash)
      @row << (pair.is_a?(Array) && pair.size == 2 ? pair : [nil, pair])
      self
    end

    def push(*pairs)
      pairs.each { |pair| self << pair }
      self
    end

    def delete(header_or_index, minimum_index = 0)
      at = header_or_index.is_a?(Integer) ? header_or_index : index(header_or_index, minimum_index)
      at ? @row.delete_at(at) || [] : []
    end

    def delete_if(&block)
      return enum_for(__method__) { size } unless block
      @row.delete_if(&block)
      self
    end

    # All fields, or those of headers, indexes, ranges, and pairs of a header and an index.
    def fields(*which)
      return @row.map(&:last) if which.empty?
      which.flat_map do |each|
        case each
        when Range
          first, last = [each.begin, each.end].map { |bound| bound.is_a?(Integer) || bound.nil? ? bound : index(bound) }
          @row[Range.new(first, last, each.exclude_end?)].map(&:last)
        when Array then [field(*each)]
        else [field(each)]
        end
      end
    end
    alias values_at fields

    def index(header, minimum_index = 0)
      at = headers[minimum_index..]&.index(header)
      at && at + minimum_index
    end

    def field?(data) = fields.include?(data)

    def each(&block)
      return enum_for(__method__) { size } unless block
      @row.each(&block)
      self
    end
    alias each_pair each

    def ==(other)
      return @row == other.row if other.is_a?(Row)
      @row == other
    end

    # The first field of each header.
    def to_h
      @row.each_with_object({}) { |(header, field), hash| hash[header] = field unless hash.key?(header) }
    end
    alias to_hash to_h
    alias to_ary to_a

    def slice(*headers) = to_h.slice(*headers)

    def except(*headers) = to_h.except(*headers)

    def deconstruct_keys(_keys) = to_h.transform_keys { |header| header.respond_to?(:to_sym) ? header.to_sym : header }

    def deconstruct = fields

    def to_csv(**options) = fields.to_csv(**options)
    alias to_s to_csv

    def dig(index_or_header, *rest)
      found = field(index_or_header)
      return found if rest.empty? || found.nil?
      raise TypeError, "#{found.class} does not have #dig method" unless found.respond_to?(:dig)
      found.dig(*rest)
    end

    def inspect
      pairs = @row.map { |header, field| " #{header.is_a?(Symbol) ? header : header.inspect}:#{field.inspect}" }
      "#<#{self.class}#{pairs.join}>"
    end
  end
end
