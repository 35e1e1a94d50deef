//! The judge, by its public interface.

mod certificate;
mod depth;
mod folds;
mod joins;
mod journal;
mod model;
mod paths;
mod rules;
mod samples;
