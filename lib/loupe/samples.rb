# What Loupe.sample found: estimates of the bytes that were allocated, by the calls that led there.
module Loupe
  class Samples
    # A call: its caller's index or nil, its name as backtraces have it, file, line, and what was sampled there and in nothing below:
    # samples, and the bytes and objects that they stand for.
    Node = Struct.new(:parent, :name, :file, :line, :count, :bytes, :objects) do
      def place = file.empty? ? name : "#{file}:#{line}"
      def gem = file.empty? ? "core" : Report.gem_of(file)
    end

    attr_reader :nodes, :every, :seconds

    def initialize(rows, every:, seconds:)
      @every, @seconds = every, seconds
      @nodes = []
      known, numbers = {}, []
      # Instructions of one line are one call to a reader; a method of the core library is one of its own below the line.
      rows.each do |parent, label, file, line, callee, count, bytes, objects|
        number = node(known, parent && numbers[parent], label, file, line)
        number = node(known, number, callee, "", 0) if callee
        numbers << number
        @nodes[number].count += count
        @nodes[number].bytes += bytes
        @nodes[number].objects += objects
      end
      @nodes.each(&:freeze).freeze
    end

    def count = nodes.sum(&:count)

    # Bytes that were allocated, estimated: as many as the samples stand for.
    def bytes = count * every

    # Objects that were allocated, estimated.
    def objects = nodes.sum(&:objects)

    # The +top+ lines (or gems, files: +by+) of the program with most bytes, as pairs of name and bytes.
    def largest(by = :place, top = 20)
      sums = Hash.new(0)
      nodes.each do |node|
        next if node.count.zero?
        # What the core library makes belongs to the line that calls it.
        line = node
        line = nodes[line.parent] while line.file.empty? && line.parent
        sums[line.public_send(by)] += node.bytes
      end
      sums.sort_by { |name, sum| [-sum, name] }.first(top)
    end

    # A line a stack, for tools that draw flame graphs.
    def to_folded
      lines = nodes.filter_map do |node|
        next if node.count.zero?
        stack = [node]
        stack.unshift(nodes[stack[0].parent]) while stack[0].parent
        names = stack.map { |one| (one.file.empty? ? one.name : "#{one.name} (#{one.place})").tr(";\n", ", ") }
        "#{names.join(";")} #{node.bytes}\n"
      end
      lines.sort.join
    end

    # As a report of loupe run has it, with calls only.
    def to_h
      frames = nodes.map { |node| [node.name, node.file, node.line] }.uniq
      numbers = frames.each_with_index.to_h
      rows = nodes.map { |node| [node.parent, numbers[[node.name, node.file, node.line]], node.objects, node.bytes, 0, 0, 0, 0, 0, 0] }
      frames = frames.map { |name, file, line| { name:, file:, line:, gem: file.empty? ? "core" : Report.gem_of(file) } }
      findings = %i[extended copies regrown unwritten_literals written_literals pinned refused].to_h { |kind| [kind, []] }
      { loupe: 2, program: $PROGRAM_NAME, seconds:, collections: 0, samples: count, allocated: { objects:, bytes: },
        retained: { objects: 0, bytes: 0 }, rows: [], strings: { allocated: [], retained: [] }, advice: [], findings:,
        pools: [], process: nil, stacks: { temporary_within: 0, frames:, nodes: rows } }
    end

    # Writes them for loupe export.
    def save(path)
      require "json"
      File.write(path, JSON.generate(to_h))
      path
    end

    def to_s
      lines = largest.map { |name, sum| "#{sum.to_s.rjust(14)}  #{name}\n" }
      "about #{bytes} bytes in #{objects} objects in #{format("%.2f", seconds)} s, from #{count} samples of #{every} bytes\n#{lines.join}"
    end

    def inspect = "#<#{self.class}: #{count} samples, about #{bytes} bytes>"

    private

    def node(known, parent, name, file, line)
      known[[parent, name, file, line]] ||= begin
        @nodes << Node.new(parent, name, file, line, 0, 0, 0)
        @nodes.size - 1
      end
    end
  end
end
