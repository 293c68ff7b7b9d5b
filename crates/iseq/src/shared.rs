//! `IseqRef`: an iseq that many places share and that may still lie encoded in the executable.

use crate::{Iseq, binary};
use carat_sync::OnceLock;
use std::ops::Deref;
use std::sync::Arc;

/// A shared iseq. One that came from an encoded library is decoded when it is first looked at.
#[derive(Clone)]
pub struct IseqRef(Arc<Lazy>);

struct Lazy {
    ready: OnceLock<Arc<Iseq>>,
    encoded: &'static [u8],
    library: Option<Arc<Library>>,
}

/// What the encodings of one file have beside them.
pub struct Library {
    pub path: Arc<str>,
    /// The place that [`binary::encode`] was given for methods.
    pub methods: &'static [u8],
}

impl IseqRef {
    /// An iseq that [`binary::encode`] wrote.
    pub fn encoded(bytes: &'static [u8], library: Arc<Library>) -> IseqRef {
        IseqRef(Arc::new(Lazy { ready: OnceLock::new(), encoded: bytes, library: Some(library) }))
    }
}

impl From<Arc<Iseq>> for IseqRef {
    fn from(iseq: Arc<Iseq>) -> IseqRef {
        IseqRef(Arc::new(Lazy { ready: OnceLock::from(iseq), encoded: &[], library: None }))
    }
}

impl From<Iseq> for IseqRef {
    fn from(iseq: Iseq) -> IseqRef {
        Arc::new(iseq).into()
    }
}

impl Deref for IseqRef {
    type Target = Iseq;

    fn deref(&self) -> &Iseq {
        self.0.ready.get_or_init(|| {
            let library = self.0.library.as_ref().expect("an encoded iseq has its library beside it");
            Arc::new(binary::decode(self.0.encoded, library))
        })
    }
}

impl PartialEq for IseqRef {
    fn eq(&self, other: &IseqRef) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl std::fmt::Debug for IseqRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}
