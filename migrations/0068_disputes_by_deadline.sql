-- The list of disputes begins with those whose deadline comes first. Every undecided dispute has a deadline.
update chargebacks set answer_by = opened_at + interval '10 days'
where state in ('inquiry', 'open') and answer_by is null;
create index chargebacks_undecided on chargebacks (answer_by, chargeback_id) where state in ('inquiry', 'open');
alter table chargebacks add constraint chargebacks_undecided_have_deadline check (
  state not in ('inquiry', 'open') or answer_by is not null);
