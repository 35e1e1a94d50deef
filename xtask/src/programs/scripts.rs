//! Real programs in JavaScript, for the front end `ssaphire-js`.

use super::{Program, ShortCheck, Source};

/// The programs in JavaScript of every test, the smallest first.
pub(crate) const SCRIPTS: &[Program] = &[
    script(
        "underscore",
        ("underscore", "1.13.8", "underscore-umd.js"),
        "underscore.js",
        "68613bd4f104eb2316b2c78b5705932bd1eaaaa5e00b49a796cb4d95c492d4fb",
    ),
    script(
        "moment",
        ("moment", "2.31.0", "moment.js"),
        "moment.js",
        "f5fe507036dee36ca91f9394c660d985c0acd87c32ad137e809e6117270fb47e",
    ),
    script(
        "acorn",
        ("acorn", "8.19.0", "dist/acorn.js"),
        "acorn.js",
        "b95392d79457d0357555c5ed3e56302d074b92dff119bcf3b44179500b10e9df",
    ),
    script(
        "jquery",
        ("jquery", "4.0.0", "dist/jquery.js"),
        "jquery.js",
        "f5fb077959ca06faa1dc50761d8bbb836c6c78067932537a2b3fea9e401257c5",
    ),
    script(
        "lodash",
        ("lodash", "4.18.1", "lodash.js"),
        "lodash.js",
        "f5465f55566bf544aad0a31c6135889ca1ed81eea8f53ec61c6cbe86926f07cf",
    ),
    script(
        "d3",
        ("d3", "7.9.2", "dist/d3.js"),
        "d3.js",
        "9318e48c7f911287bc47fd7b4ec1ac189150ddd1000d281f079dc897a4eca8af",
    ),
    script(
        "vue",
        ("vue", "3.5.45", "dist/vue.global.js"),
        "vue.js",
        "7ae49497d5250ce1ab9f7be0f5a16f2487b7d0bb2dcc21c57806af415b924662",
    ),
    script(
        "three",
        ("three", "0.187.0", "build/three.module.js"),
        "three.module.js",
        "104f56145899722094556490d787aae0617cc2fc3382f31df02d724ea1aee341",
    ),
    script(
        "react-dom",
        ("react-dom", "18.3.1", "cjs/react-dom.development.js"),
        "react-dom.js",
        "1459b808bc6991de5a1ec3a86d8beee32dbb6c14282cf13f84e00dfebfbdc025",
    ),
    script(
        "three-core",
        ("three", "0.187.0", "build/three.core.js"),
        "three.core.js",
        "613e370f76638fdef83926642bf256dc9615684922de1ce1f63a8583e5d78578",
    ),
    script(
        "typescript",
        ("typescript", "5.9.3", "lib/typescript.js"),
        "typescript.js",
        "3ae902c92cc44dace175c0e69e13a4b0899f6983c6121d76b9ab8dd5795e7675",
    ),
];

/// The last version of acorn whose package has its tests, which are a program of their own.
pub(crate) const SUITE: &[Program] = &[
    script(
        "acorn-0.11",
        ("acorn", "0.11.0", "acorn.js"),
        "acorn-0.11/acorn.js",
        "9a10e5998a880fc8009d64c4d468b1eb5d4b77b5f0a34cb1e92a0b5909f072aa",
    ),
    script(
        "acorn-0.11-loose",
        ("acorn", "0.11.0", "acorn_loose.js"),
        "acorn-0.11/acorn_loose.js",
        "84eb11ed13430b314a79b69444ece2c9f056ac2768d4ecd2dba72d3775579d19",
    ),
    script(
        "acorn-0.11-driver",
        ("acorn", "0.11.0", "test/driver.js"),
        "acorn-0.11/test/driver.js",
        "dd2801c436c86180a4be6ce3d6826d6dd1e6f8910c89f154cfd3d98ca88c48a5",
    ),
    script(
        "acorn-0.11-tests",
        ("acorn", "0.11.0", "test/tests.js"),
        "acorn-0.11/test/tests.js",
        "0306c189f4503d176d5334c54b35246ccb7968f218c4be6018ebcf40f15be130",
    ),
    script(
        "acorn-0.11-tests-harmony",
        ("acorn", "0.11.0", "test/tests-harmony.js"),
        "acorn-0.11/test/tests-harmony.js",
        "601aa25b6ee519e76b675124ae62c7f15581263cdfc56269533542480ea19294",
    ),
];

/// A file of an npm package: package, version and path.
const fn script(
    name: &'static str,
    (package, version, path): (&'static str, &'static str, &'static str),
    file: &'static str,
    sha256: &'static str,
) -> Program {
    Program { name, source: Source::Npm { package, version, path }, file, sha256, short_check: ShortCheck::None }
}
