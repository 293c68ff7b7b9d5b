//! The object model: classes, methods, shapes, names, constants and what defines them.

pub(crate) mod append_only;
pub mod autoload;
pub mod class;
pub(crate) mod constants;
pub mod cref;
pub(crate) mod globals;
pub(crate) mod lookup;
pub mod method;
pub(crate) mod redefinition;
pub mod shape;
pub(crate) mod struct_members;
pub mod symbol;
