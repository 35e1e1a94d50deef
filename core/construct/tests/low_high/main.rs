//! Low-high orders, beside the definition: no set of phis has one outer value.

mod contraction;
mod families;
mod graph;
mod large;
mod small;
