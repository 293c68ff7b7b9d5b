# needs: ruby-grape ruby-rack ruby-mustermann-grape ruby-dry-types ruby-activesupport
require "json"
require "logger"
require "grape"
require "rack/mock"
class Shop < Grape::API
  format :json
  prefix :api
  rescue_from(ArgumentError) { |e| error!({ error: e.message }, 422) }
  helpers { def items = (@@items ||= (1..50).map { |i| { id: i, name: "Item #{i}", price: i * 1.5 } }) }
  resource :items do
    params do
      optional :page, type: Integer, default: 1, values: 1..10
      optional :sort, type: Symbol, values: %i[name price]
    end
    get { items.sort_by { |i| i[params[:sort] || :id] }.each_slice(10).to_a[params[:page] - 1] || [] }
    route_param :id, type: Integer do
      get { items.find { |i| i[:id] == params[:id] } || error!("not found", 404) }
      params do
        requires :price, type: Float
        optional :tags, type: [String]
        optional(:maker, type: Hash) { requires :name, type: String, regexp: /\A\w+\z/ }
      end
      put { raise ArgumentError, "negative" if params[:price] < 0; items[params[:id] - 1].merge(declared(params)) }
    end
  end
end
request = Rack::MockRequest.new(Shop)
seen = Hash.new(0)
bytes = 0
130.times do |i|
  [request.get("/api/items?page=#{i % 12 + 1}&sort=#{i.odd? ? "name" : "price"}"), request.get("/api/items/#{i % 60}"),
   request.put("/api/items/#{i % 50 + 1}", params: { price: i - 5.5, tags: %w[a b], maker: { name: i % 9 == 0 ? "no name" : "acme" } }),
   request.delete("/api/items/1")].each { |response| seen[response.status] += 1; bytes += response.body.size }
end
p seen.sort, bytes
