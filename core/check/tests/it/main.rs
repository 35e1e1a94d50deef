//! The judge, by its public interface.

mod certificate;
mod depth;
mod folds;
mod joins;
mod journal;
mod random;
mod refusals;
mod refused_forms;
mod rules;
mod samples;
