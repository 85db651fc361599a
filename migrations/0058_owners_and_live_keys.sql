-- A second person approves a new owner of a company. Payouts that a merchant's program sends may need the approval of the
-- merchant's own people, beside that of an operator.
alter table approvals
  drop constraint approvals_kind_known,
  add constraint approvals_kind_known
    check (kind in ('outcome', 'correction', 'suspense', 'payouts', 'beneficiary', 'owner'));

alter table payouts
  add column needs_merchant_approval boolean not null default false,
  add column merchant_approved_at timestamptz;

alter table payout_settings add column includes_interface boolean not null default false;

-- Only roles with the permission keys.secret see or replace the live key from now on, and only the built-in owner has it. The
-- owners of each company that has people or roles with the older permission get a mail that names those roles.
insert into alerts (mer_no, alert_id, kind, content, created_at)
select mer_no, 'M' || upper(left(md5('keys.secret ' || mer_no), 26)), 'key-permission',
  jsonb_build_object('roles', string_agg(role, ', ' order by role)), now()
from (
  select distinct mer_no, role from users where mer_no <> 0 and role = 'developer' and state <> 'disabled'
  union
  select mer_no, role from roles where mer_no <> 0 and 'keys.edit' = any (permissions)
) losing
group by mer_no;
