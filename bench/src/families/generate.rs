//! The families, as streams of calls.

use super::{Calls, Family, Member};

pub(super) fn emit(member: Member, calls: &mut impl Calls) {
    let (n, m) = (member.size.n, member.size.m);
    begin(m, calls);
    match member.family {
        Family::IfChain => if_chain(n, m, calls),
        Family::IfEmpty => if_empty(n, m, calls),
        Family::Nest => nest(n, m, calls),
        Family::WideLoop => wide_loop(n, m, calls),
        Family::Switch => switch(n, m, calls),
        Family::FallThru => fall_through(n, m, calls),
        Family::Ladder => ladder(n, m, calls),
        Family::Exits => exits(n, m, calls),
        Family::Diag => diagonal(n, m, calls),
        Family::Comb => comb(n, m, calls),
        Family::Dead => dead(n, m, calls),
        Family::Joins => joins(n, m, calls),
        Family::Loops => loops(n, m, calls),
        Family::Leave => leave(n, m, calls),
        Family::Cases => cases(n, m, calls),
        Family::Spread => spread(n, m, calls),
        Family::Tangle => tangle(n, m, calls),
    }
}

/// The entry writes every variable.
fn begin(m: u32, calls: &mut impl Calls) {
    let entry = calls.block();
    calls.switch(entry);
    calls.seal(entry);
    for variable in 0..m {
        calls.write(variable);
    }
}

/// Seals and enters a block whose edges are all there.
fn go_on(block: u32, calls: &mut impl Calls) {
    calls.seal(block);
    calls.switch(block);
}

fn read_all(m: u32, calls: &mut impl Calls) {
    for variable in 0..m {
        calls.read(variable);
    }
}

fn read_all_and_return(m: u32, calls: &mut impl Calls) {
    read_all(m, calls);
    calls.end(&[]);
}

/// A conditional without `else`, around what `then` does.
fn conditional<C: Calls>(calls: &mut C, then: impl FnOnce(&mut C)) {
    let (body, join) = (calls.block(), calls.block());
    calls.end(&[body, join]);
    go_on(body, calls);
    then(calls);
    calls.end(&[join]);
    go_on(join, calls);
}

fn if_chain(n: u32, m: u32, calls: &mut impl Calls) {
    for i in 0..n {
        conditional(calls, |calls| calls.write(i % m));
        calls.read(0);
    }
    read_all_and_return(m, calls);
}

fn if_empty(n: u32, m: u32, calls: &mut impl Calls) {
    for _ in 0..n {
        conditional(calls, |_| ());
    }
    read_all_and_return(m, calls);
}

fn nest(n: u32, m: u32, calls: &mut impl Calls) {
    let mut headers = Vec::new();
    for _ in 0..n {
        let header = calls.block();
        calls.end(&[header]);
        calls.switch(header);
        headers.push(header);
    }
    read_all(m, calls);
    calls.write(0);
    for header in headers.into_iter().rev() {
        let exit = calls.block();
        calls.end(&[header, exit]);
        calls.seal(header);
        go_on(exit, calls);
    }
    read_all_and_return(m, calls);
}

fn wide_loop(n: u32, m: u32, calls: &mut impl Calls) {
    for _ in 0..n {
        let header = calls.block();
        calls.end(&[header]);
        calls.switch(header);
        read_all(m, calls);
        let exit = calls.block();
        calls.end(&[header, exit]);
        calls.seal(header);
        go_on(exit, calls);
    }
    calls.end(&[]);
}

fn switch(n: u32, m: u32, calls: &mut impl Calls) {
    let cases: Vec<u32> = (0..n).map(|_| calls.block()).collect();
    let join = calls.block();
    calls.end(&cases);
    for case in cases {
        go_on(case, calls);
        for variable in 0..m {
            calls.write(variable);
        }
        calls.end(&[join]);
    }
    go_on(join, calls);
    read_all_and_return(m, calls);
}

fn fall_through(n: u32, m: u32, calls: &mut impl Calls) {
    // The last one is the join.
    let cases: Vec<u32> = (0..=n).map(|_| calls.block()).collect();
    calls.end(&cases);
    for pair in cases.windows(2) {
        go_on(pair[0], calls);
        for variable in 0..m {
            calls.read(variable);
            calls.write(variable);
        }
        calls.end(&[pair[1]]);
    }
    go_on(n + 1, calls);
    read_all_and_return(m, calls);
}

/// Each block of a rung has edges to the other one and to the next rung.
fn ladder(n: u32, m: u32, calls: &mut impl Calls) {
    let (mut left, mut right) = (calls.block(), calls.block());
    let first = left;
    calls.end(&[left, right]);
    for rung in 1..=n {
        let below = (rung < n).then(|| (calls.block(), calls.block()));
        calls.switch(left);
        read_all(m, calls);
        match below {
            Some((left, _)) => calls.end(&[right, left]),
            None => calls.end(&[right]),
        }
        calls.switch(right);
        read_all(m, calls);
        match below {
            Some((_, right)) => calls.end(&[left, right]),
            None => calls.end(&[]),
        }
        (left, right) = below.unwrap_or_default();
    }
    for block in first..first + 2 * n {
        calls.seal(block);
    }
}

fn exits(n: u32, m: u32, calls: &mut impl Calls) {
    let join = calls.block();
    for i in 0..n {
        let next = calls.block();
        calls.end(&[next, join]);
        go_on(next, calls);
        calls.write(i % m);
    }
    calls.end(&[join]);
    go_on(join, calls);
    read_all_and_return(m, calls);
}

fn diagonal(n: u32, m: u32, calls: &mut impl Calls) {
    for i in 0..n {
        let next = calls.block();
        calls.end(&[next]);
        go_on(next, calls);
        calls.write(i % m);
    }
    read_all_and_return(m, calls);
}

/// The leaves are filled after the row, the last one first.
fn comb(n: u32, m: u32, calls: &mut impl Calls) {
    let mut leaves = Vec::new();
    for _ in 0..n {
        let (next, leaf) = (calls.block(), calls.block());
        calls.end(&[next, leaf]);
        calls.seal(next);
        calls.seal(leaf);
        leaves.push(leaf);
        calls.switch(next);
    }
    calls.end(&[]);
    for leaf in leaves.into_iter().rev() {
        calls.switch(leaf);
        read_all_and_return(m, calls);
    }
}

fn dead(n: u32, m: u32, calls: &mut impl Calls) {
    let (header, exit) = (calls.block(), calls.block());
    calls.end(&[header]);
    calls.switch(header);
    for i in 0..n {
        conditional(calls, |calls| calls.write(i % m));
    }
    calls.end(&[header, exit]);
    calls.seal(header);
    go_on(exit, calls);
    // All but one are dead.
    read_all_and_return(m.min(1), calls);
}

/// Both edges of a join are those of one block.
fn joins(n: u32, m: u32, calls: &mut impl Calls) {
    for _ in 0..n {
        let join = calls.block();
        calls.end(&[join, join]);
        go_on(join, calls);
    }
    read_all_and_return(m, calls);
}

fn loops(n: u32, m: u32, calls: &mut impl Calls) {
    let mut block = calls.block();
    calls.end(&[block]);
    for i in 0..n {
        calls.switch(block);
        calls.read(i % m);
        let next = calls.block();
        calls.end(&[block, next]);
        calls.seal(block);
        block = next;
    }
    go_on(block, calls);
    read_all_and_return(m, calls);
}

fn leave(n: u32, m: u32, calls: &mut impl Calls) {
    for i in 0..n {
        let (arm, next) = (calls.block(), calls.block());
        calls.end(&[arm, next]);
        go_on(arm, calls);
        calls.write(i % m);
        calls.end(&[]);
        go_on(next, calls);
        calls.read(i % m);
    }
    read_all_and_return(m, calls);
}

fn cases(n: u32, m: u32, calls: &mut impl Calls) {
    let cases: Vec<u32> = (0..=n).map(|_| calls.block()).collect();
    calls.end(&cases[..n as usize]);
    for (i, pair) in (0..n).zip(cases.windows(2)) {
        go_on(pair[0], calls);
        calls.read(i % m);
        calls.write(i % m);
        calls.end(&[pair[1]]);
    }
    go_on(n + 1, calls);
    calls.end(&[]);
}

fn spread(n: u32, m: u32, calls: &mut impl Calls) {
    for i in 0..n {
        conditional(calls, |calls| calls.write(i % m));
    }
    read_all_and_return(m, calls);
}

/// Both blocks of a loop can be entered from above; each leads to the other, and one of them on.
fn tangle(n: u32, m: u32, calls: &mut impl Calls) {
    for _ in 0..n {
        let (left, right, next) = (calls.block(), calls.block(), calls.block());
        calls.end(&[left, right]);
        calls.switch(left);
        calls.end(&[right, next]);
        calls.switch(right);
        calls.end(&[left]);
        calls.seal(left);
        calls.seal(right);
        go_on(next, calls);
    }
    read_all_and_return(m, calls);
}
