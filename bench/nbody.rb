# Floats in instance variables: the outer planets around the sun, integrated with small steps.
class Body
  attr_reader :mass, :x, :y, :z, :vx, :vy, :vz

  def initialize(mass, position, velocity)
    @mass = mass
    @x, @y, @z = position
    @vx, @vy, @vz = velocity
  end

  def pull(other, dt)
    dx = @x - other.x
    dy = @y - other.y
    dz = @z - other.z
    square = dx * dx + dy * dy + dz * dz
    strength = dt / (square * Math.sqrt(square))
    kick(dx, dy, dz, -other.mass * strength)
    other.kick(dx, dy, dz, @mass * strength)
  end

  def kick(dx, dy, dz, by)
    @vx += dx * by
    @vy += dy * by
    @vz += dz * by
  end

  def drift(dt)
    @x += @vx * dt
    @y += @vy * dt
    @z += @vz * dt
  end

  def kinetic = 0.5 * @mass * (@vx * @vx + @vy * @vy + @vz * @vz)

  def potential(other)
    dx = @x - other.x
    dy = @y - other.y
    dz = @z - other.z
    -@mass * other.mass / Math.sqrt(dx * dx + dy * dy + dz * dz)
  end
end

def energy(bodies)
  total = 0.0
  bodies.each_with_index do |body, i|
    total += body.kinetic
    bodies[i + 1..].each { |other| total += body.potential(other) }
  end
  total
end

bodies = [
  Body.new(40.0, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
  Body.new(0.04, [5.2, 0.1, -0.1], [0.1, 2.7, 0.01]),
  Body.new(0.01, [9.1, -3.0, 0.2], [0.6, 1.9, 0.02]),
  Body.new(0.002, [-14.0, 13.0, 0.1], [-1.0, -0.9, 0.03]),
  Body.new(0.002, [-18.0, -22.0, 0.4], [0.9, -0.7, -0.02]),
]

printf("%.9f\n", energy(bodies))
180_000.times do
  i = 0
  while i < 5
    j = i + 1
    while j < 5
      bodies[i].pull(bodies[j], 0.001)
      j += 1
    end
    i += 1
  end
  bodies.each { |body| body.drift(0.001) }
end
printf("%.9f\n", energy(bodies))
