# needs: ruby-sass
require "sass"
source = <<~'S'
  $base: #336699;
  $sizes: (small: 10px, medium: 20px, large: 35px);
  @mixin button($color: $base, $radius: 3px) {
    border-radius: $radius; background: lighten($color, 10%);
    &:hover { background: darken($color, 15%); @content; }
  }
  @function double($n) { @return $n * 2; }
  %shared { margin: 0 auto; padding: double(4px) + 1px; }
  @each $name, $size in $sizes {
    .text-#{$name} { @extend %shared; font-size: $size; line-height: $size * 1.5; 
      .icon & { width: percentage($size / 200px); } }
  }
  @for $i from 1 through 12 { .col-#{$i} { width: 100% / 12 * $i; @if $i % 2 == 0 { color: mix(red, $base, $i * 8%); } @else { color: invert($base); } } }
  .btn { @include button(#ff8800) { text-decoration: underline; } a:not(.x) > b + c, d { color: rgba($base, .5); } }
  @media screen and (max-width: 600px) { .btn { display: none; @media print { float: left } } }
S
css = nil
4.times { css = Sass::Engine.new(source, syntax: :scss, style: :expanded, cache: false).render }
puts css
puts Sass::Engine.new("a\n  color: red\n  &:hover\n    b: c\n", syntax: :sass, cache: false, style: :compressed).render
