-- What counterparties report on their own: refunds and payouts whose money came back, and the stages of disputes.

alter table refunds
  drop constraint refunds_state_known,
  add constraint refunds_state_known
    check (state in ('waiting', 'calling', 'pending', 'unknown', 'succeeded', 'failed', 'returned'));

alter table payouts
  drop constraint payouts_state_known,
  add constraint payouts_state_known check (state in
    ('tokenising', 'awaiting_account', 'awaiting_approval', 'sending', 'succeeded', 'failed', 'returned'));

-- Each stage of a dispute is one row. The same stage may come again: a bank may take the money back a second time.
alter table channel_disputes
  add column stage text not null default 'open',
  -- Until when the counterparty takes evidence; null if it gave no day.
  add column respond_by timestamptz,
  -- Reported by a callback, and not in the channel's list so far.
  add column by_callback boolean not null default false,
  drop constraint channel_disputes_pkey,
  add constraint channel_disputes_pkey primary key (channel, dispute_ref, stage, told_at),
  add constraint channel_disputes_stage_known check (stage in ('inquiry', 'open', 'won', 'lost'));

alter table channel_disputes
  alter column stage drop default,
  alter column by_callback drop default;

-- An inquiry takes no money. It ends as `closed`; the chargeback that may follow has a row of its own.
alter table chargebacks
  drop constraint chargebacks_state_known,
  add constraint chargebacks_state_known check (state in ('inquiry', 'closed', 'open', 'won', 'lost')),
  drop constraint chargebacks_resolved_is_dated,
  add constraint chargebacks_resolved_is_dated check ((state in ('inquiry', 'open')) = (resolved_at is null));

drop index chargebacks_by_deadline;
create index chargebacks_by_deadline on chargebacks (answer_by)
  where state in ('inquiry', 'open') and reminders < 2;
