-- Disputes have a deadline for the merchant's answer, and evidence holds its file, encrypted.
alter table chargebacks add column answer_by timestamptz;
update chargebacks set answer_by = opened_at + interval '10 days' where state = 'open';

alter table chargeback_evidence
  add column file_sealed bytea,
  add column added_by text;
