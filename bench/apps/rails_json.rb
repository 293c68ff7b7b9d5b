# Rails' controllers, routes and models answer JSON; Zeitwerk loads the code when it is named, and part of it never.
# needs: ruby-actionpack ruby-activemodel ruby-zeitwerk
require "rubygems"
require "logger"
require "tmpdir"
require "fileutils"
require "active_support/all"
require "active_model"
require "action_controller"
require "rack"
require "zeitwerk"

root = Dir.mktmpdir("rails_json")
at_exit { FileUtils.rm_rf(root) }
{
  "app/models/article.rb" => <<~RUBY,
    class Article
      include ActiveModel::Model
      include ActiveModel::Attributes
      attribute :id, :integer
      attribute :title, :string
      attribute :body, :string
      attribute :published, :boolean, default: false
      validates :title, presence: true, length: { maximum: 40 }
      validates :body, presence: true

      def self.all = @all ||= []
      def self.find(id) = all.find { |article| article.id == id.to_i } || raise(ActionController::RoutingError, "no article")
      def persisted? = !id.nil?
      def to_param = id.to_s

      def save
        return false unless valid?
        self.id = (self.class.all.last&.id || 0) + 1
        self.class.all << self
        true
      end
    end
  RUBY
  "app/models/reports.rb" => "module Reports\n  include Reports::Shared\nend\n",
  "app/models/reports/shared.rb" => "module Reports::Shared\n  def self.titles = Article.all.map(&:title)\nend\n",
  "app/models/archive.rb" => "module Archive\n  DEPTH = Archive::Shelf.size\nend\n",
  "app/models/archive/shelf.rb" => "class Archive::Shelf\n  def self.size = 10\nend\n",
  "app/controllers/articles_controller.rb" => <<~RUBY,
    class ArticlesController < ActionController::Metal
      include AbstractController::Callbacks
      include ActionController::UrlFor
      include ActionController::ConditionalGet
      include ActionController::StrongParameters
      include ActionController::Rescue
      include ActionController::Instrumentation

      before_action :set_article, only: %i[show]
      rescue_from(ActionController::RoutingError) { |error| answer({ error: error.message }, :not_found) }

      def index
        articles = Article.all.last(12)
        articles = articles.select(&:published) if params[:published]
        return unless stale?(etag: articles.map(&:id), public: true)
        answer articles.map { |article| summary(article) }
      end

      def show
        answer @article.attributes.merge("words" => @article.body.split.tally, "link" => article_path(@article))
      end

      def create
        article = Article.new(params.require(:article).permit(:title, :body, :published))
        if article.save
          self.location = article_url(article)
          answer summary(article), :created
        else
          answer({ errors: article.errors.full_messages }, :unprocessable_entity)
        end
      end

      private

      def answer(object, status = :ok)
        self.status = status
        self.content_type = "application/json"
        self.response_body = object.to_json
      end

      def summary(article) = article.attributes.slice("id", "title", "published").merge("link" => article_path(article))

      def set_article
        @article = Article.find(params[:id])
      end
    end
  RUBY
}.each do |name, text|
  path = File.join(root, name)
  FileUtils.mkdir_p(File.dirname(path))
  File.write(path, text)
end

loader = Zeitwerk::Loader.new
Dir.glob("#{root}/app/*") { |folder| loader.push_dir(folder) }
loader.setup
ActiveSupport::Deprecation.silenced = true if ActiveSupport::Deprecation.respond_to?(:silenced=)
routes = ActionDispatch::Routing::RouteSet.new
routes.draw { resources :articles, only: %i[index show create] }
ArticlesController.include(routes.url_helpers)
application = Rack::Builder.new do
  use ActionDispatch::RequestId, header: "X-Request-Id"
  use Rack::Head
  use Rack::ConditionalGet
  use Rack::ETag, "no-cache"
  run routes
end.to_app

statuses = Hash.new(0)
bytes = 0
request = proc do |path, **options|
  status, _headers, body = application.call(Rack::MockRequest.env_for("http://localhost#{path}", **options))
  text = +""
  body.each { |part| text << part }
  body.close if body.respond_to?(:close)
  statuses[status] += 1
  bytes += text.bytesize
  text
end

150.times do |i|
  words = "Words & <b>#{i}</b> " * 12
  request.call("/articles", method: "POST", params: { article: { title: "Title #{i}", body: words, published: i.even? } })
  request.call("/articles", method: "POST", params: { article: { title: "", body: "x" } }) if i % 5 == 0
  request.call("/articles")
  request.call("/articles?published=1", "HTTP_IF_NONE_MATCH" => "none", "HTTP_ACCEPT" => "application/json")
  3.times { |back| request.call("/articles/#{[i + 1 - back, 1].max}") }
  request.call("/articles/9999") if i % 10 == 0
end
puts statuses.sort.map { |status, count| "#{status}: #{count}" }, Reports::Shared.titles.size, bytes > 100_000
puts request.call("/articles/7"), request.call("/articles?published=1")
