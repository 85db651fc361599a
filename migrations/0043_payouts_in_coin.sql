-- Payouts to an address of a chain, which people make in the back office.
alter table payouts
  drop constraint payouts_kind_known,
  add constraint payouts_kind_known check (
    kind in ('card', 'checkout', 'bank_account', 'pix', 'per_transfer', 'spei', 'coin')
    and account_kind in ('card', 'bank_account', 'pix', 'per_transfer', 'spei', 'coin'));

alter table beneficiaries
  drop constraint beneficiaries_kind_known,
  add constraint beneficiaries_kind_known check (kind in ('bank_account', 'pix', 'per_transfer', 'spei', 'coin'));
