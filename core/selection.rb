# Core::Selection: what +min+, +max+, +min_by+ and +max_by+ find when they are asked for several values.

module Core
  # The +wanted+ least of the pairs that are added, or with +downwards+ the greatest: a buffer of four times as many, of which the
  # least stay whenever it is full. From then on only what is below the last of them is kept. The passes are those of CRuby's
  # +rb_nmin_run+, so blocks see the same comparisons.
  class Selection
    def initialize(wanted, downwards, &order)
      wanted = Core.count_wanted(wanted)
      raise ArgumentError, "too big size" if wanted > 0x7FFF_FFFF_FFFF_FFFF / 8
      @wanted = wanted
      @downwards = downwards
      @order = order
      @keys = []
      @values = []
      @is_limited = false
      @limit = nil
    end

    def none? = @wanted == 0

    def add(key, value)
      return if @is_limited && compare(key, @limit) >= 0
      Primitive.array_push(@keys, key)
      Primitive.array_push(@values, value)
      narrow if Primitive.array_size(@keys) == @wanted * 4
    end

    # The values in order. Those that were added without a key of their own are compared with the block.
    def result
      narrow
      return @values if Primitive.array_size(@values) < 2
      sorted = @order ? Core.merge_sort(@values, &@order) : Core.sort_by_keys(@keys, @values)
      @downwards ? Core.array_reverse!(sorted) : sorted
    end

    private

    def compare(a, b)
      sign = Primitive.cmpint(@order ? @order.call(a, b) : a <=> b, a, b)
      @downwards ? -sign : sign
    end

    # Partitions the buffer, around pivots from the middle, until the wanted ones are in front; forgets the others.
    def narrow
      return if Primitive.array_size(@keys) <= @wanted
      unless @order
        place = Primitive.array_narrow(@keys, @values, @wanted, @downwards)
        return limit_to(place) if place
      end
      left = 0
      right = Primitive.array_size(@keys) - 1
      while true
        swap(left + (right - left) / 2, right)
        pivot = Primitive.array_at(@keys, right)
        pivots = 1
        below = left
        i = left
        while i <= right - pivots
          sign = compare(Primitive.array_at(@keys, i), pivot)
          if sign == 0
            swap(i, right - pivots)
            pivots += 1
            next
          end
          if sign < 0
            swap(i, below)
            below += 1
          end
          i += 1
        end
        gather(below, right, pivots)
        break if below <= @wanted && @wanted <= below + pivots
        if @wanted < below
          right = below - 1
        else
          left = below + pivots
        end
      end
      limit_to(below)
    end

    # Forgets all but the wanted ones. Of what comes, what is not below a key is not wanted.
    def limit_to(place)
      @is_limited = true
      @limit = Primitive.array_at(@keys, place)
      Primitive.array_resize(@keys, @wanted)
      Primitive.array_resize(@values, @wanted)
    end

    # Moves the pivots from the end to where the lesser ones end.
    def gather(below, right, pivots)
      last = right - pivots
      while last < right && below < right
        swap(below, right)
        below += 1
        right -= 1
      end
    end

    def swap(i, j)
      exchange(@keys, i, j)
      exchange(@values, i, j)
    end

    def exchange(array, i, j)
      value = Primitive.array_at(array, i)
      Primitive.array_set(array, i, Primitive.array_at(array, j))
      Primitive.array_set(array, j, value)
    end
  end

  # The +n+ least of an array, or with +downwards+ the greatest, in order.
  def self.array_selection(array, n, downwards, &order)
    unless order || !Primitive.fixnum?(n) || n < 0
      least = Primitive.array_least(array, n, downwards)
      return least if least
    end
    selection = Selection.new(n, downwards, &order)
    return [] if selection.none?
    value = nil
    i = 0
    while Primitive.array_next(array, i, value)
      selection.add(value, value)
    end
    selection.result
  end
end
