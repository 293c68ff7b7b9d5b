# Integer arrays, read and written in tight loops: the most prefix reversals that a permutation needs.
def fannkuch(n)
  permutation = (0...n).to_a
  counters = Array.new(n, 0)
  flips_most = 0
  checksum = 0
  sign = 1
  while true
    if (first = permutation[0]) != 0
      work = permutation.dup
      flips = 0
      while first != 0
        low = 1
        high = first - 1
        while low < high
          work[low], work[high] = work[high], work[low]
          low += 1
          high -= 1
        end
        work[first], first = first, work[first]
        flips += 1
      end
      flips_most = flips if flips > flips_most
      checksum += sign * flips
    end
    if sign == 1
      permutation[0], permutation[1] = permutation[1], permutation[0]
      sign = -1
    else
      permutation[1], permutation[2] = permutation[2], permutation[1]
      sign = 1
      i = 2
      while counters[i] == i
        counters[i] = 0
        i += 1
        return [checksum, flips_most] if i == n
        moved = permutation.shift
        permutation.insert(i, moved)
      end
      counters[i] += 1
    end
  end
end

checksum, flips = fannkuch(9)
puts checksum, "Pfannkuchen(9) = #{flips}"
