//! Dominators of a dump's objects: who has to go for an object to go, and what would go with each.
//!
//! # How
//! Lengauer and Tarjan's algorithm with path compression, in time O(references × log objects). Nothing recurses: a linked list
//! makes a path as long as the dump. All roots together are one vertex, which comes first.
//!
//! # References
//! T. Lengauer, R. E. Tarjan: A fast algorithm for finding dominators in a flowgraph, TOPLAS 1 (1979).

use crate::graph::{Graph, NONE, Node};

/// Number of a vertex in the order in which the search came to it. The roots are 0.
type Vertex = u32;

pub(crate) struct Dominators {
    /// The object that each was found as: `NONE` for the roots.
    nodes: Vec<Node>,
    /// The nearest dominator of each vertex. It has a smaller number.
    nearest: Vec<Vertex>,
    /// Bytes that go with each vertex, its own among them.
    retained: Vec<u64>,
}

/// What the search from the roots found.
struct Search {
    nodes: Vec<Node>,
    parents: Vec<Vertex>,
    /// Vertices of objects; `NONE` for those that nothing leads to.
    vertices: Vec<Vertex>,
}

impl Search {
    fn new(graph: &Graph) -> Search {
        let mut search = Search { nodes: vec![NONE], parents: vec![0], vertices: vec![NONE; graph.len()] };
        // Vertices whose references are gone through, and how far.
        let mut open: Vec<(Vertex, u32)> = Vec::new();
        for root in graph.roots() {
            search.visit(root, 0, &mut open);
            while let Some((vertex, next)) = open.last_mut() {
                let (vertex, at) = (*vertex, *next as usize);
                *next += 1;
                match graph.references(search.nodes[vertex as usize]).get(at) {
                    Some(node) => search.visit(*node, vertex, &mut open),
                    None => drop(open.pop()),
                }
            }
        }
        search
    }

    fn visit(&mut self, node: Node, parent: Vertex, open: &mut Vec<(Vertex, u32)>) {
        if self.vertices[node as usize] != NONE {
            return;
        }
        let vertex = self.nodes.len() as Vertex;
        self.vertices[node as usize] = vertex;
        self.nodes.push(node);
        self.parents.push(parent);
        open.push((vertex, 0));
    }
}

/// Who refers to each vertex.
struct Predecessors {
    starts: Vec<u32>,
    list: Vec<Vertex>,
}

impl Predecessors {
    fn new(graph: &Graph, search: &Search) -> Predecessors {
        let count = search.nodes.len();
        let each = |f: &mut dyn FnMut(Vertex, Vertex)| {
            graph.roots().for_each(|node| f(0, search.vertices[node as usize]));
            for (vertex, node) in search.nodes.iter().enumerate().skip(1) {
                graph.references(*node).iter().for_each(|to| f(vertex as Vertex, search.vertices[*to as usize]));
            }
        };
        let mut starts = vec![0_u32; count + 1];
        each(&mut |_, to| starts[to as usize + 1] += 1);
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut list = vec![0; starts[count] as usize];
        // Each start moves to the next one's place, and so back by one in the end.
        each(&mut |from, to| {
            let place = &mut starts[to as usize];
            list[*place as usize] = from;
            *place += 1;
        });
        starts.rotate_right(1);
        starts[0] = 0;
        Predecessors { starts, list }
    }

    fn of(&self, vertex: Vertex) -> &[Vertex] {
        &self.list[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }
}

/// The forest of vertices that were linked, with the label of the smallest semidominator on the way up.
struct Forest {
    /// `NONE` for the root of a tree.
    ancestors: Vec<Vertex>,
    labels: Vec<Vertex>,
    /// The way up that is being shortened.
    way: Vec<Vertex>,
}

impl Forest {
    fn best(&mut self, vertex: Vertex, semidominators: &[Vertex]) -> Vertex {
        if self.ancestors[vertex as usize] == NONE {
            return vertex;
        }
        let mut at = vertex;
        while self.ancestors[self.ancestors[at as usize] as usize] != NONE {
            self.way.push(at);
            at = self.ancestors[at as usize];
        }
        while let Some(below) = self.way.pop() {
            let above = self.ancestors[below as usize];
            let (mine, better) = (self.labels[below as usize], self.labels[above as usize]);
            if semidominators[better as usize] < semidominators[mine as usize] {
                self.labels[below as usize] = better;
            }
            self.ancestors[below as usize] = self.ancestors[above as usize];
        }
        self.labels[vertex as usize]
    }
}

impl Dominators {
    pub(crate) fn new(graph: &Graph) -> Dominators {
        let search = Search::new(graph);
        let predecessors = Predecessors::new(graph, &search);
        let Search { nodes, parents, .. } = search;
        let nearest = nearest(&parents, &predecessors);
        drop((predecessors, parents));
        let size = |node: &Node| if *node == NONE { 0 } else { graph.size(*node) };
        let mut retained: Vec<u64> = nodes.iter().map(size).collect();
        for vertex in (1..nodes.len()).rev() {
            let bytes = retained[vertex];
            let sum = &mut retained[nearest[vertex] as usize];
            *sum = sum.saturating_add(bytes);
        }
        Dominators { nodes, nearest, retained }
    }

    /// Objects that something leads to.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Bytes of all that the roots keep.
    pub(crate) fn total(&self) -> u64 {
        self.retained[0]
    }

    /// Vertices in an order in which each comes behind its dominator, with that, the object, and what it retains.
    pub(crate) fn each(&self) -> impl Iterator<Item = (u32, u32, Node, u64)> {
        (1..self.nodes.len()).map(|at| (at as u32, self.nearest[at], self.nodes[at], self.retained[at]))
    }

    /// Goes through the tree: tells of each object when it is entered and when it is left, with what it retains.
    pub(crate) fn walk(&self, f: &mut dyn FnMut(Node, u64, bool)) {
        let count = self.nodes.len();
        let (mut first, mut next) = (vec![NONE; count], vec![NONE; count]);
        for vertex in (1..count).rev() {
            let dominator = self.nearest[vertex] as usize;
            next[vertex] = first[dominator];
            first[dominator] = vertex as Vertex;
        }
        let (mut at, mut is_below) = (first[0], true);
        while at != NONE && at != 0 {
            let vertex = at as usize;
            if is_below {
                f(self.nodes[vertex], self.retained[vertex], true);
            }
            (at, is_below) = match (is_below, first[vertex]) {
                (true, child) if child != NONE => (child, true),
                _ => {
                    f(self.nodes[vertex], self.retained[vertex], false);
                    if next[vertex] == NONE { (self.nearest[vertex], false) } else { (next[vertex], true) }
                }
            };
        }
    }
}

fn nearest(parents: &[Vertex], predecessors: &Predecessors) -> Vec<Vertex> {
    let count = parents.len();
    let mut semidominators: Vec<Vertex> = (0..count as Vertex).collect();
    let mut forest = Forest { ancestors: vec![NONE; count], labels: (0..count as Vertex).collect(), way: Vec::new() };
    let mut nearest: Vec<Vertex> = vec![0; count];
    // Vertices by their semidominators: lists linked through `next`.
    let (mut first, mut next) = (vec![NONE; count], vec![NONE; count]);
    for vertex in (1..count as Vertex).rev() {
        for from in predecessors.of(vertex) {
            let best = forest.best(*from, &semidominators);
            let semidominator = semidominators[best as usize];
            let own = &mut semidominators[vertex as usize];
            *own = (*own).min(semidominator);
        }
        let semidominator = semidominators[vertex as usize] as usize;
        next[vertex as usize] = first[semidominator];
        first[semidominator] = vertex;
        let parent = parents[vertex as usize];
        forest.ancestors[vertex as usize] = parent;
        let mut at = std::mem::replace(&mut first[parent as usize], NONE);
        while at != NONE {
            let best = forest.best(at, &semidominators);
            let is_below = semidominators[best as usize] < semidominators[at as usize];
            nearest[at as usize] = if is_below { best } else { parent };
            at = next[at as usize];
        }
    }
    for vertex in 1..count {
        if nearest[vertex] != semidominators[vertex] {
            nearest[vertex] = nearest[nearest[vertex] as usize];
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, the same in each run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % u64::from(bound)) as u32
        }
    }

    /// What the roots lead to when one object is taken away.
    fn reached_without(graph: &Graph, gone: Node) -> Vec<bool> {
        let mut reached = vec![false; graph.len()];
        let mut waiting: Vec<Node> = graph.roots().collect();
        while let Some(node) = waiting.pop() {
            if node != gone && !std::mem::replace(&mut reached[node as usize], true) {
                waiting.extend(graph.references(node));
            }
        }
        reached
    }

    /// What goes with each object, and how many dominators it has, tried by taking away one after the other.
    fn check(graph: &Graph) {
        let all = reached_without(graph, NONE);
        let dominators = Dominators::new(graph);
        assert_eq!(dominators.len(), all.iter().filter(|reached| **reached).count());
        assert_eq!(dominators.total(), dominators.len() as u64);
        let goes_with: Vec<Vec<bool>> = (0..graph.len() as Node).map(|node| reached_without(graph, node)).collect();
        let dominates = |one: Node, other: Node| all[other as usize] && !goes_with[one as usize][other as usize];
        let mut node_of = vec![NONE; dominators.len() + 1];
        dominators.each().for_each(|(vertex, _, node, _)| node_of[vertex as usize] = node);
        for (_, nearest, node, retained) in dominators.each() {
            let expected = (0..graph.len() as Node).filter(|other| dominates(node, *other)).count();
            assert_eq!(retained, expected as u64, "what {node} retains");
            let mut others = (0..graph.len() as Node).filter(|other| *other != node && dominates(*other, node));
            let near = node_of[nearest as usize];
            match near {
                NONE => assert_eq!(others.next(), None, "{node} has no dominator"),
                // All other dominators dominate the nearest one.
                _ => assert!(dominates(near, node) && others.all(|other| other == near || dominates(other, near))),
            }
        }
    }

    #[test]
    fn dominators_are_those_that_trying_finds() {
        let mut random = Random(1);
        for round in 0..400 {
            let count = 1 + random.below(30);
            let references = random.below(1 + count * (1 + round % 4));
            let pairs: Vec<(Node, Node)> =
                (0..references).map(|_| (random.below(count), random.below(count))).collect();
            let roots: Vec<Node> = (0..=random.below(3)).map(|_| random.below(count)).collect();
            check(&Graph::of_pairs(count, &pairs, &roots));
        }
    }

    #[test]
    fn a_long_list_needs_no_stack() {
        check_list(&Graph::of_list(1_000_000), 1_000_000);
    }

    #[test]
    fn a_walk_enters_and_leaves_each_object() {
        // 0 keeps 1 and 2, 2 keeps 3; nothing leads to 4.
        let graph = Graph::of_pairs(5, &[(0, 1), (0, 2), (2, 3), (4, 0)], &[0]);
        let (mut open, mut depths) = (Vec::new(), Vec::new());
        Dominators::new(&graph).walk(&mut |node, retained, is_entered| {
            if is_entered {
                open.push(node);
                depths.push((node, open.len(), retained));
            } else {
                assert_eq!(open.pop(), Some(node));
            }
        });
        assert!(open.is_empty());
        depths.sort_unstable();
        assert_eq!(depths, [(0, 1, 4), (1, 2, 1), (2, 2, 2), (3, 3, 1)]);
    }

    fn check_list(graph: &Graph, count: u64) {
        let dominators = Dominators::new(graph);
        let retained: Vec<u64> = dominators.each().map(|(.., retained)| retained).collect();
        assert_eq!((retained[0], retained[retained.len() - 1]), (count, 1));
    }
}
