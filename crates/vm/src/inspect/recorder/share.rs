//! What each Ractor allocated, and owns.

use super::ledger::{Count, Ledger};
use super::{Recorder, site_of};
use crate::concurrency::ractor::Ractor;
use crate::concurrency::ractor_object::RactorObject;
use crate::ec::Ec;
use crate::value::data::Data;
use crate::value::string::Str;

/// A Ractor's share of what was counted. The main one's is the rest.
pub struct Share {
    pub name: Option<Box<str>>,
    /// `file:line` of `Ractor.new`.
    pub place: Box<str>,
    pub allocated: Count,
    /// What it owned when the books were closed, or when the program ended and it with it. None for a Ractor that had ended
    /// before: its objects are another one's.
    pub retained: Option<Count>,
    pub has_ended: bool,
}

impl Recorder {
    /// Closes the account of the Ractor whose recorder this is.
    fn close_share(&mut self, ec: &Ec, object: Data<RactorObject>, has_ended: bool) {
        let (counted_before, living) = (self.shared_out, self.living(ec));
        let Some(ledger) = &mut self.ledger else { return };
        let mut counted = living;
        ledger.tallies.iter().for_each(|tally| counted.merge(tally.allocated));
        self.shared_out = counted;
        let allocated = counted.less(counted_before);
        let text = |value| Str::from_value(value).map(|text| text.to_text(ec).into_boxed_str());
        let object = object.get(ec);
        let retained = self.owned_at_end.take().or((!has_ended).then_some(living));
        let place = text(object.place).unwrap_or_default();
        ledger.shares.push(Share { name: text(object.name), place, allocated, retained, has_ended });
    }

    /// The objects that are in the table, as large as they are now.
    fn living(&mut self, ec: &Ec) -> Count {
        let mut living = Count::default();
        let Recorder { sites, contexts, table, ledger: Some(ledger), .. } = self else { return living };
        let ledger: &mut Ledger = ledger;
        ledger.learn(sites.list());
        table.each(&mut |object, record| {
            if let Some((_, bytes)) = ledger.weigh(ec, object, site_of(contexts.as_deref(), record.place)) {
                living.add(bytes);
            }
        });
        ledger.end_pass(ec);
        living
    }
}

impl Ec {
    /// The program ends, and will end the Ractors that live: notes what each of them owns.
    pub(crate) fn note_owners(&mut self) {
        if self.ractor().recorder.borrow().as_deref().is_none_or(|recorder| recorder.ledger.is_none()) {
            return;
        }
        self.collect_garbage(true);
        self.each_ractor(&mut |ec, ractor| {
            if let Some(recorder) = ractor.recorder.borrow_mut().as_deref_mut() {
                recorder.owned_at_end = Some(recorder.living(ec));
            }
        });
    }

    /// The running Ractor, which is not the main one, ends.
    pub(crate) fn end_share(&mut self, object: Data<RactorObject>) {
        let Ok(mut recorder) = self.ractor().recorder.try_borrow_mut() else { return };
        if let Some(recorder) = recorder.as_deref_mut() {
            recorder.close_share(self, object, true);
        }
    }

    /// The books of a Ractor that stands still are closed while it lives.
    pub(super) fn close_share_of(&self, ractor: &Ractor, books: &mut Recorder) {
        if let Some(object) = Data::<RactorObject>::from_value(ractor.object.get()) {
            books.close_share(self, object, false);
        }
    }
}
