# frozen_string_literal: true

class CSV
  # Rows with common headers, looked at by row, by column, or as what is asked for says.
  class Table
    extend Forwardable
    include Enumerable

    attr_reader :mode, :table
    protected :table

    def initialize(rows, headers: nil)
      @table = rows
      @headers = headers ? headers.dup : rows.empty? ? [] : rows.first.headers
      @mode = :col_or_row
    end

    def_delegators :@table, :empty?, :length, :size

    def by_col = dup.by_col!
    def by_row = dup.by_row!
    def by_col_or_row = dup.by_col_or_row!

    %i[col row col_or_row].each do |mode|
      define_method(:"by_#{mode}!") do
        @mode = mode
        self
      end
    end

    def headers = @table.empty? ? @headers.dup : @table.first.headers

    def [](index_or_header)
      return @table[index_or_header] if rows?(index_or_header)
      @table.map { |row| row[index_or_header] }
    end

    def []=(index_or_header, value)
      if rows?(index_or_header)
        @table[index_or_header] = value.is_a?(Array) ? Row.new(headers, value) : value
        return
      end
      @headers |= [index_or_header] unless index_or_header.is_a?(Integer)
      @table.each_with_index do |row, at|
        next if row.header_row? && (row[index_or_header] = index_or_header)
        row[index_or_header] = value.is_a?(Array) ? value[at] : value
      end
    end

    def <<(row)
      @table << (row.is_a?(Array) ? Row.new(headers, row) : row)
      self
    end

    def push(*rows)
      rows.each { |row| self << row }
      self
    end

    # The row or column that is gone; of several all.
    def delete(*indexes_or_headers)
      raise ArgumentError, "wrong number of arguments (given 0, expected 1+)" if indexes_or_headers.empty?
      gone = indexes_or_headers.map do |each|
        next @table.delete_at(each) if rows?(each)
        @headers.delete(each.is_a?(Integer) ? headers[each] : each)
        @table.map { |row| row.delete(each).last }
      end
      indexes_or_headers.size == 1 ? gone.first : gone
    end

    def delete_if(&block)
      return enum_for(__method__) { @mode == :col ? headers.size : size } unless block
      if @mode == :col
        headers.each { |header| delete(header) if yield([header, self[header]]) }
      else
        @table.delete_if(&block)
      end
      self
    end

    def each(&block)
      return enum_for(__method__) { @mode == :col ? headers.size : size } unless block
      if @mode == :col
        headers.each.with_index { |header, at| yield([header, @table.map { |row| row[at] }]) }
      else
        @table.each(&block)
      end
      self
    end

    def values_at(*indexes_or_headers)
      return @table.values_at(*indexes_or_headers) if @mode == :row || @mode == :col_or_row && indexes_or_headers.all? { |each| each.is_a?(Integer) || each.is_a?(Range) && each.begin.is_a?(Integer) }
      @table.map { |row| row.values_at(*indexes_or_headers) }
    end

    def ==(other)
      return @table == other.table if other.is_a?(Table)
      @table == other
    end

    # Headers and fields as arrays.
    def to_a = [headers] + @table.reject(&:header_row?).map(&:fields)

    def to_csv(write_headers: true, limit: nil, **options)
      rows = @table.reject(&:header_row?)
      rows = rows.first(limit < 0 ? [rows.size + 1 + limit, 0].max : limit) if limit
      lines = rows.map { |row| row.fields.to_csv(**options) }
      lines.unshift(headers.to_csv(**options)) if write_headers
      lines.join
    end
    alias to_s to_csv

    def dig(index_or_header, *rest)
      found = self[index_or_header]
      return found if rest.empty? || found.nil?
      return found.dig(*rest) unless found.is_a?(Array) && rest.first.is_a?(String)
      raise TypeError, "#{found.class} does not have #dig method"
    end

    # With the first rows.
    def inspect
      summary = "#<#{self.class} mode:#{@mode} row_count:#{to_a.size}>"
      rows = to_csv(limit: 5)
      rows.empty? || @table.empty? ? summary : "#{summary}\n#{rows}".force_encoding(rows.encoding)
    end

    protected

    attr_writer :table

    private

    def initialize_copy(other)
      super
      @headers = @headers.dup
      @table = other.table
    end

    def rows?(which) = @mode == :row || @mode == :col_or_row && (which.is_a?(Integer) || which.is_a?(Range))
  end
end
