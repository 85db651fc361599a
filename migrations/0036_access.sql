-- Reminders of disputes: how many were sent of a deadline, three days and one day before it.
alter table chargebacks add column reminders smallint not null default 0;
create index chargebacks_by_deadline on chargebacks (answer_by) where state = 'open' and reminders < 2;

-- Searches of the audit log by person, and by the beginning of an action.
create index audit_log_by_actor on audit_log (lower(actor), entry_id);
create index audit_log_by_action on audit_log (action collate "C", entry_id);

-- What a company says about itself, once its people have changed it.
create table company_details (
  mer_no bigint not null,
  contact text not null,
  email text not null,
  website text not null,
  country text not null,
  version integer not null,
  changed_at timestamptz not null,
  constraint company_details_pkey primary key (mer_no)
);

-- Somebody asked to send a merchant's failed notifications again. A worker does it in slices and then deletes the row, so a
-- restart loses nothing.
create table notification_resends (
  mer_no bigint not null,
  asked_at timestamptz not null,
  since timestamptz not null,
  constraint notification_resends_pkey primary key (mer_no, asked_at)
);

-- Exports of other lists than that of orders.
alter table exports
  add column list text not null default 'orders',
  add constraint exports_list_known check (list in ('orders', 'refunds', 'payouts', 'disputes'));
alter table export_schedules
  add column list text not null default 'orders',
  add constraint export_schedules_list_known check (list in ('orders', 'refunds', 'payouts', 'disputes'));
