//! Figures by name: how a run hands them to the run that started it.

/// Makes a type whose fields are numbers, that can be printed and read again.
macro_rules! figures {
    ($(#[$about:meta])* $figures:ident: $($(#[$doc:meta])* $name:ident),*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $figures {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl $figures {
            /// Names and numbers, in the order of the record.
            pub fn fields(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name)),*]
            }

            /// The figures that a run printed, one `name number` a line.
            pub fn read(text: &str) -> Self {
                let mut figures = Self::default();
                for (name, number) in text.lines().filter_map(|line| line.split_once(' ')) {
                    match name {
                        $(stringify!($name) => figures.$name = number.parse().unwrap_or_default(),)*
                        _ => {}
                    }
                }
                figures
            }

            /// One `name number` a line.
            pub fn text(&self) -> String {
                self.fields().into_iter().map(|(name, number)| format!("{name} {number}\n")).collect()
            }
        }
    };
}

pub(crate) use figures;
