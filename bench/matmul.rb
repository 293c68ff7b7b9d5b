# Arrays of arrays of floats.
def matrix(size)
  Array.new(size) { |i| Array.new(size) { |j| (i - j) * (i + j) / size.to_f } }
end

def multiply(a, b)
  columns = b.transpose
  a.map do |row|
    columns.map do |column|
      sum = 0.0
      k = 0
      while k < row.size
        sum += row[k] * column[k]
        k += 1
      end
      sum
    end
  end
end

size = 250
product = multiply(matrix(size), matrix(size))
puts product[size / 2][size / 2].round(3), product.sum(&:sum).round(0)
