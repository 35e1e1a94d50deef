//! What a structured text describes: places, and where control goes from each.

use ssaphire::Block;

/// A place in a text, in front of a step or at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(usize);

/// What happens at a place.
#[derive(Clone, Debug)]
pub(super) enum Move {
    /// Nothing: control goes on elsewhere.
    Goto(Place),
    /// A block is executed; its slot decides.
    Execute(Block, Choice),
    /// The dispatch variable is set.
    Set(u32, Place),
    /// The dispatch variable decides.
    Dispatch(Choice),
    /// The text ends.
    End,
}

/// Where numbers lead: those of arms, ascending, and all others.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) arms: Vec<(u32, Place)>,
    pub(super) others: Place,
}

impl Choice {
    fn of(&self, number: u32) -> Place {
        let found = self.arms.binary_search_by_key(&number, |&(number, _)| number);
        found.map_or(self.others, |arm| self.arms[arm].1)
    }
}

/// A machine that runs a structured text.
#[derive(Debug)]
pub(super) struct Machine {
    moves: Vec<Move>,
    /// By exit and repeat: where it leads, and the place behind it.
    jumps: Vec<(Place, Place)>,
    unnamed_label: Option<String>,
}

/// What is said of a program that hangs.
const ENDLESS: &str = "the structured program runs without end and executes nothing";

impl Place {
    /// Its number, below the number of places.
    pub(super) fn index(self) -> usize {
        self.0
    }
}

impl Machine {
    /// The beginning of the text.
    pub(super) const START: Place = Place(0);

    /// One with a beginning alone.
    pub(super) fn new() -> Self {
        Self { moves: vec![Move::End], jumps: Vec::new(), unnamed_label: None }
    }

    /// A new place, where the text ends as long as nothing else is said.
    pub(super) fn place(&mut self) -> Place {
        self.moves.push(Move::End);
        Place(self.moves.len() - 1)
    }

    /// Says what happens at a place.
    pub(super) fn set(&mut self, place: Place, happens: Move) {
        self.moves[place.0] = happens;
    }

    /// What happens at a place.
    pub(super) fn at(&mut self, place: Place) -> &mut Move {
        &mut self.moves[place.0]
    }

    /// Notes an exit or repeat.
    pub(super) fn add_jump(&mut self, to: Place, behind: Place) {
        self.jumps.push((to, behind));
    }

    /// Notes a label that nothing names.
    pub(super) fn add_unnamed(&mut self, label: String) {
        self.unnamed_label.get_or_insert(label);
    }

    /// By exit and repeat: where it leads, and the place behind it.
    pub(super) fn jumps(&self) -> Vec<(Place, Place)> {
        self.jumps.clone()
    }

    /// The first label that is found to be named by nothing.
    pub(super) fn unnamed_label(&self) -> Option<&str> {
        self.unnamed_label.as_deref()
    }

    /// Number of places.
    pub(super) fn num_places(&self) -> usize {
        self.moves.len()
    }

    /// The block that is executed at a place.
    pub(super) fn executed(&self, place: Place) -> Option<Block> {
        if let Move::Execute(block, _) = self.moves[place.0] { Some(block) } else { None }
    }

    /// The places where blocks are executed.
    pub(super) fn executions(&self) -> impl Iterator<Item = (Place, Block)> + '_ {
        (0..self.moves.len()).filter_map(|index| Some((Place(index), self.executed(Place(index))?)))
    }

    /// What is executed at a place, in words.
    pub(super) fn describe(&self, place: Place) -> String {
        self.executed(place).map_or_else(|| "the end".to_owned(), |block| block.to_string())
    }

    /// The place that a slot of the block leads to, which is executed at `place`.
    ///
    /// # Panics
    /// If none is executed there.
    pub(super) fn behind(&self, place: Place, slot: u32) -> Place {
        let Move::Execute(_, choice) = &self.moves[place.0] else { panic!("no block is executed at {place:?}") };
        choice.of(slot)
    }

    /// Whether the arms behind the block that is executed at `place` are for slots that there are.
    ///
    /// # Errors
    /// If one is not.
    pub(super) fn check_slots(&self, place: Place, num_slots: usize) -> Result<(), String> {
        let Move::Execute(block, choice) = &self.moves[place.0] else { return Ok(()) };
        match choice.arms.last() {
            Some(&(slot, _)) if slot as usize >= num_slots => Err(format!("{block} has no slot {slot}")),
            _ => Ok(()),
        }
    }

    /// The next place from `place` on where a block is executed or the text ends.
    ///
    /// # Errors
    /// If control never gets there, or the dispatch variable is not read once each time that it is set.
    pub(super) fn run_on(&mut self, place: Place) -> Result<Place, String> {
        let (mut place, mut variable) = (self.settled(place)?, None);
        for _ in 0..self.moves.len() {
            let next = match &self.moves[place.0] {
                Move::Set(_, _) if variable.is_some() => return Err("the dispatch variable is set twice".to_owned()),
                &Move::Set(number, next) => {
                    variable = Some(number);
                    next
                }
                Move::Dispatch(choice) => {
                    choice.of(variable.take().ok_or("the dispatch variable is read and not set")?)
                }
                Move::Execute(..) | Move::End if variable.is_some() => {
                    return Err("the dispatch variable is set and not read".to_owned());
                }
                Move::Execute(..) | Move::End | Move::Goto(_) => return Ok(place),
            };
            place = self.settled(next)?;
        }
        Err(ENDLESS.to_owned())
    }

    /// The next place from `place` on where something happens. What was passed leads there at once from now on.
    ///
    /// # Errors
    /// If nothing ever happens.
    pub(super) fn settled(&mut self, place: Place) -> Result<Place, String> {
        let mut passed = Vec::new();
        let mut at = place;
        while let Move::Goto(next) = self.moves[at.0] {
            if passed.len() > self.moves.len() {
                return Err(ENDLESS.to_owned());
            }
            passed.push(at);
            at = next;
        }
        passed.into_iter().for_each(|place| self.moves[place.0] = Move::Goto(at));
        Ok(at)
    }
}
