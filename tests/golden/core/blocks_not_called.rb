# Lists that have nothing to compare do not ask: the block of `sort_by!` and `uniq!` is not called for one element or none.
p [1].sort_by! { p :called }, [].sort_by! { p :called }
p [1].uniq! { p :called }, [].uniq! { p :called }
p [1].sort_by { p :called }
p [1].uniq { p :called }
p [1].freeze.then { |list| list.sort_by! { 1 } rescue $!.class }
p [].freeze.then { |list| list.uniq! { 1 } rescue $!.class }
