# needs: ruby-jwt
require "jwt"
payload = { "sub" => "1234567890", "name" => "Jöhn", "admin" => true, "exp" => 4_102_444_800, "roles" => %w[a b c] }
n = 0
1200.times do |i|
  token = JWT.encode(payload.merge("i" => i), "secret#{i % 3}", %w[HS256 HS384 HS512][i % 3], { kid: i.to_s })
  data, header = JWT.decode(token, "secret#{i % 3}", true, algorithms: %w[HS256 HS384 HS512])
  n += data["i"] + header["kid"].size + token.size
end
p n
token = JWT.encode({ "exp" => 1 }, "k", "HS256")
puts token
[-> { JWT.decode(token, "k", true, algorithm: "HS256") }, -> { JWT.decode(token, "x", true, algorithm: "HS256") }, -> { JWT.decode("a.b", "k") }, -> { JWT.decode(JWT.encode({ "nbf" => 4_102_444_800 }, "k"), "k", true, algorithm: "HS256") }, -> { JWT.decode(JWT.encode({ iss: "me" }, "k"), "k", true, algorithm: "HS256", iss: "you", verify_iss: true) }].each do |f|
  f.call
rescue JWT::DecodeError => e
  puts "#{e.class}: #{e.message}"
end
