//! The surface that users see, through the facade.

mod debug;
mod driver;
mod errors;
mod names;
mod threads;
