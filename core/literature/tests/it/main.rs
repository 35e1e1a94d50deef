//! The constructors of the literature, by their public interface.

mod braun;
mod fresh;
mod ids;
mod recorder;
mod strict;
mod threads;
