//! The constructors of the literature, by its public interface.

mod braun;
mod fresh;
mod ids;
mod recorder;
mod strict;
