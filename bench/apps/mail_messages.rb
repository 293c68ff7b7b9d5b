# needs: ruby-mail ruby-mini-mime
require "mail"
sizes = []
70.times do |i|
  mail = Mail.new do
    from "Sender Number #{i} <sender#{i}@example.org>"
    to ["a#{i}@example.com", "Bee <b@example.com>"]
    cc "Ünïcode Name <c@example.net>"
    subject "Grüße, message #{i} of many: a subject that is long enough to be folded over lines"
    date Time.at(1_600_000_000 + i).utc
    message_id "<#{i}@example.org>"
    text_part { body "Hello #{i}\n" * 10 }
    html_part { content_type "text/html; charset=UTF-8"; body "<p>Hällo #{i}</p>" }
  end
  mail.attachments["data#{i}.bin"] = { mime_type: "application/octet-stream", content: (0..255).map(&:chr).join.b }
  text = mail.to_s
  again = Mail.read_from_string(text)
  sizes << [again.subject.size, again.to.size, again.parts.size, again.attachments.first.decoded.bytesize, again.cc.first]
end
p sizes.first(2), sizes.map(&:first).sum, sizes.size
