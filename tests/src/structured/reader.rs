//! Reads a structured text: words, then steps, each of which adds to a machine.

use super::machine::{Choice, Machine, Move, Place};
use ssaphire::Block;
use std::collections::HashMap;
use std::iter::Peekable;

/// A construct that is open.
enum Open {
    Loop {
        label: Option<u32>,
        begin: Place,
        end: Place,
    },
    Labeled {
        label: u32,
        end: Place,
    },
    /// What decides, and the place behind the fork.
    Fork {
        decides: Place,
        end: Place,
    },
    Arm {
        end: Place,
    },
}

/// A label that was read.
struct Known {
    /// The beginning if it is that of a loop, and the end, as long as that is open.
    open: Option<(Option<Place>, Place)>,
    is_named: bool,
}

/// Reads one text.
struct Reader<'t, W: Iterator<Item = &'t str>> {
    words: Peekable<W>,
    machine: Machine,
    /// Where the next step stands.
    here: Place,
    open: Vec<Open>,
    labels: HashMap<u32, Known>,
    /// The labels in the order of the text.
    order: Vec<u32>,
}

/// The machine that `text` describes.
pub(super) fn read(text: &str) -> Result<Machine, String> {
    let words = words(text);
    let mut reader = Reader {
        words: words.peekable(),
        machine: Machine::new(),
        here: Machine::START,
        open: Vec::new(),
        labels: HashMap::new(),
        order: Vec::new(),
    };
    while let Some(word) = reader.words.next() {
        reader.step(word)?;
    }
    if !reader.open.is_empty() {
        return Err("a construct is not closed".to_owned());
    }
    let Reader { mut machine, labels, order, .. } = reader;
    let unnamed = order.into_iter().find(|label| !labels[label].is_named);
    unnamed.into_iter().for_each(|label| machine.add_unnamed(format!("L{label}")));
    Ok(machine)
}

/// Names and numbers, and signs of one character each.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let end = rest.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let first = rest.chars().next()?;
        let (word, after) = rest.split_at(end.max(first.len_utf8()));
        rest = after;
        Some(word)
    })
}

/// The number behind `prefix`.
fn numbered(word: &str, prefix: &str) -> Option<u32> {
    word.strip_prefix(prefix)?.parse().ok()
}

impl<'t, W: Iterator<Item = &'t str>> Reader<'t, W> {
    /// A step, an arm or a closing brace, whose first word is read.
    fn step(&mut self, word: &'t str) -> Result<(), String> {
        if word == "}" {
            return self.close();
        }
        if let Some(&Open::Fork { decides, end }) = self.open.last() {
            return self.arm(word, decides, end);
        }
        if word == "loop" {
            return self.open_loop(None);
        }
        if let Some(label) = numbered(word, "L") {
            self.expect(":")?;
            if self.words.next_if_eq(&"loop").is_some() {
                return self.open_loop(Some(label));
            }
            self.expect("{")?;
            let end = self.machine.place();
            self.open.push(Open::Labeled { label, end });
            return self.add_label(label, None, end);
        }
        let at = self.here;
        self.plain(word)?;
        let forks = matches!(self.machine.at(at), Move::Execute(..) | Move::Dispatch(_));
        if forks && self.words.next_if_eq(&"{").is_some() {
            self.open.push(Open::Fork { decides: at, end: self.here });
        }
        Ok(())
    }

    /// A step without braces, or what stands before the braces of a fork.
    fn plain(&mut self, word: &'t str) -> Result<(), String> {
        let at = self.here;
        let next = self.machine.place();
        let choice = Choice { arms: Vec::new(), others: next };
        let happens = match word {
            "next" if self.words.next_if_eq(&"=").is_some() => Move::Set(self.number()?, next),
            "next" if self.words.peek() == Some(&"{") => Move::Dispatch(choice),
            "exit" | "repeat" => Move::Goto(self.jump(word, next)?),
            _ => match numbered(word, "block").and_then(|number| Block::try_from(number).ok()) {
                Some(block) => Move::Execute(block, choice),
                None => return Err(format!("`{word}` is no step")),
            },
        };
        self.machine.set(at, happens);
        self.here = next;
        Ok(())
    }

    /// The place that an exit or repeat leads to, whose label comes next.
    fn jump(&mut self, word: &str, behind: Place) -> Result<Place, String> {
        let label = self.words.next().unwrap_or_default();
        let known = numbered(label, "L").and_then(|label| self.labels.get_mut(&label));
        let Some((known, (begin, end))) = known.and_then(|known| known.open.map(|places| (known, places))) else {
            return Err(format!("nothing around an {word} has the label {label}"));
        };
        known.is_named = true;
        let to = if word == "exit" { Some(end) } else { begin };
        let to = to.ok_or_else(|| format!("{label} is no loop"))?;
        self.machine.add_jump(to, behind);
        Ok(to)
    }

    /// An arm: numbers, and what it does.
    fn arm(&mut self, first: &str, decides: Place, end: Place) -> Result<(), String> {
        let begin = self.machine.place();
        let mut number = first.parse().map_err(|_| format!("`{first}` is no number"))?;
        loop {
            if let Move::Execute(_, choice) | Move::Dispatch(choice) = self.machine.at(decides) {
                choice.arms.push((number, begin));
            }
            if self.words.next_if_eq(&",").is_none() {
                break;
            }
            number = self.number()?;
        }
        self.expect(":")?;
        self.here = begin;
        if self.words.next_if_eq(&"{").is_some() {
            self.open.push(Open::Arm { end });
            return Ok(());
        }
        loop {
            let word = self.words.next().unwrap_or_default();
            self.plain(word)?;
            if self.words.next_if_eq(&";").is_none() {
                break;
            }
        }
        self.machine.set(self.here, Move::Goto(end));
        Ok(())
    }

    fn open_loop(&mut self, label: Option<u32>) -> Result<(), String> {
        self.expect("{")?;
        let (begin, end) = (self.machine.place(), self.machine.place());
        self.machine.set(self.here, Move::Goto(begin));
        self.here = begin;
        self.open.push(Open::Loop { label, begin, end });
        label.map_or(Ok(()), |label| self.add_label(label, Some(begin), end))
    }

    fn add_label(&mut self, label: u32, begin: Option<Place>, end: Place) -> Result<(), String> {
        self.order.push(label);
        match self.labels.insert(label, Known { open: Some((begin, end)), is_named: false }) {
            None => Ok(()),
            Some(_) => Err(format!("L{label} stands twice")),
        }
    }

    /// Closes the innermost construct.
    fn close(&mut self) -> Result<(), String> {
        let (goes_on, end, label) = match self.open.pop().ok_or("`}` closes nothing")? {
            Open::Loop { label, begin, end } => (begin, end, label),
            Open::Labeled { label, end } => (end, end, Some(label)),
            Open::Arm { end } => (end, end, None),
            Open::Fork { decides, end } => {
                self.here = end;
                return self.sort_arms(decides);
            }
        };
        self.machine.set(self.here, Move::Goto(goes_on));
        self.here = end;
        if let Some(known) = label.and_then(|label| self.labels.get_mut(&label)) {
            known.open = None;
        }
        Ok(())
    }

    fn sort_arms(&mut self, decides: Place) -> Result<(), String> {
        let (Move::Execute(_, choice) | Move::Dispatch(choice)) = self.machine.at(decides) else { return Ok(()) };
        choice.arms.sort_by_key(|&(number, _)| number);
        let twice = choice.arms.windows(2).find(|pair| pair[0].0 == pair[1].0);
        twice.map_or(Ok(()), |pair| Err(format!("two arms are for {}", pair[0].0)))
    }

    fn number(&mut self) -> Result<u32, String> {
        let word = self.words.next().unwrap_or_default();
        word.parse().map_err(|_| format!("`{word}` is no number"))
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        let word = self.words.next().unwrap_or_default();
        if word == sign { Ok(()) } else { Err(format!("`{word}` stands where `{sign}` is to be")) }
    }
}
