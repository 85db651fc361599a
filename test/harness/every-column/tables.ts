// The tables and columns that the audit proves. Every table of the schema is in `covered`, `derivedTables` or
// `tablesWithoutMoney`. Every column of a covered table is corrupted, unless it is in `columnsWithoutMoney`.

export type Covered = {
  /** SQL: the kind of a row `t`. The test corrupts one row of each kind. */
  readonly kind?: string
  /** SQL expressions that sort the rows `t` of a kind, before the order and the key sort them. */
  readonly first?: readonly string[]
  /** SQL: further names of a row `t` in findings, such as the number of its order. */
  readonly names?: readonly string[]
  /** SQL: the new values of a column, instead of the usual value for its type. */
  readonly values?: Readonly<Record<string, readonly string[]>>
  /** The columns in which a copy of a row differs, instead of the last column of the key. */
  readonly copy?: readonly string[]
}

const states = ['1', '5', '6', '7', '9', '10', '11', '12', '17', '24', '25']
/** The place of an order among the orders of the fixture. */
export const placeOf = (tradeNo: string) =>
  `(select p.place from order_places p where p.trade_no = ${tradeNo})`
const orderOf = (reference: string) => `'T' || substr(${reference}, 2, 26)`
const tradeNoOf = (table: string, id: string) =>
  `(select r.trade_no from ${table} r where r.mer_no = t.mer_no and r.${id} = t.${id})`
const stateOf = (table: string, id: string) =>
  `(select of.state from ${table} of where of.mer_no = t.mer_no and of.${id} = t.${id})`

const amountOfRefund =
  '(select r.amount from refunds r where (r.mer_no, r.refund_no) = (t.mer_no, t.refund_no))'
const orderOfNotification =
  '(select n.trade_no from notifications n where (n.mer_no, n.notification_id) = (t.mer_no, t.notification_id))'
/** The number of the import that brought the row. */
const importOf = (row: string) =>
  `(select s.import_no from channel_statements s where s.statement_id = ${row}.statement_id)`

export const covered: Readonly<Record<string, Covered>> = {
  orders: {
    kind: `concat_ws(' ', kind,
      case when attempt_state is not null then 'compact'
        when kind = 'payment' and not exists (select from attempt_rows a where a.trade_no = t.trade_no) then 'untried' end,
      case when state = 1 then 'open' when state in (6, 7) then 'failed' when state in (24, 25) then 'in review'
        when charged_back > 0 then 'disputed' when refunded > 0 then 'refunded' when settled_at is not null then 'settled'
        else 'paid' end,
      case when kind = 'payment' and currency <> settle_currency then 'foreign' end)`,
    copy: ['trade_no', 'mer_order_no'],
    values: {
      state: states,
      kind: [`'payment'`, `'payout'`],
      timezone: [`'Asia/Tokyo'`],
      attempt_state: [`'calling'`, `'succeeded'`, `'failed'`],
    },
  },
  attempt_rows: { kind: 'state' },
  order_event_rows: { kind: 'to_state', values: { from_state: states, to_state: states } },
  order_dues: { kind: 'kind' },
  order_totals: { kind: `case when orders = 0 then 'empty' else state::text end` },
  order_total_deltas: { first: ['t.mer_nos', 't.local_day', 't.source_amounts', 't.orders'], kind: 'state' },
  limit_usage: {
    kind: `case when used = 0 then 'empty' when period like '%-%-%' then 'day' else 'month' end`,
  },
  bookings: {
    first: [placeOf('t.subject'), 't.mer_no', 't.amounts'],
    kind: `regexp_replace(step, '[A-Z]\\d+[A-Z0-9]*', '…')`,
    values: {
      steps: [`array['payment'] || steps[2:]`],
      debited: [`array['rail:other'] || debited[2:]`],
      credited: [`array['merchant:available'] || credited[2:]`],
      amounts: [`array[amounts[1] + 1] || amounts[2:]`],
    },
  },
  balance_sums: { kind: `case when debits = 0 and credits = 0 then 'empty' else 'used' end` },
  balance_deltas: { first: ['t.mer_nos', 't.account', 't.currency', 't.debits', 't.credits'] },
  refunds: { first: [placeOf('t.trade_no'), 't.amount'], kind: 'state' },
  refund_events: {
    first: [placeOf(tradeNoOf('refunds', 'refund_no')), amountOfRefund],
    kind: 'to_state',
    names: [tradeNoOf('refunds', 'refund_no')],
  },
  chargebacks: { kind: `concat_ws(' ', state, case when dispute_ref is not null then 'reported' end)` },
  chargeback_evidence: {
    first: [placeOf(tradeNoOf('chargebacks', 'chargeback_id'))],
    names: [tradeNoOf('chargebacks', 'chargeback_id')],
  },
  channel_disputes: { kind: 'stage', names: [orderOf('t.reference')] },
  payouts: { kind: `concat_ws(' ', state, case when funding_rate is not null then 'foreign' end)` },
  reviews: {
    kind: `concat_ws(' ', state, case when state = 'submitted' and asked_at is not null then 'again' end)`,
  },
  review_files: {},
  suspense: {
    first: [placeOf('t.trade_no'), 't.mer_no', 't.amount', 't.reference'],
    kind: `concat_ws(' ', state, why, origin)`,
  },
  deposits: { kind: 'state' },
  deposit_owners: { first: [placeOf(orderOf('t.reference'))], names: [orderOf('t.reference')] },
  statement_lines: {
    first: [importOf('t'), 't.line'],
    kind: `case when trade_no is null then 'of no order' else 'of an order' end`,
  },
  channel_statements: { first: ['t.import_no'] },
  statement_differences: { first: [importOf('t')], kind: 'state' },
  notifications: {
    kind: `concat_ws(' ', event, case when delivered_at is not null then 'delivered' when failed_at is not null then 'given up' end)`,
  },
  notification_attempts: {
    first: [placeOf(orderOfNotification)],
    kind: `case when status = 200 then 'not acknowledged' else 'failed' end`,
    names: [orderOfNotification],
  },
  approvals: {
    first: ['t.kind', "t.action ->> 'as'", 't.asked_at'],
    kind: `case when state = 'approved' then kind || ' approved' else state end`,
  },
  payment_links: {
    kind: `concat_ws(' ', uses, state, case when amount is null then 'of any amount' end,
      case when claimed_by is not null then 'claimed' end)`,
  },
  payment_link_orders: {},
  bulk_refunds: { kind: 'state' },
  bulk_refund_rows: { kind: `${stateOf('bulk_refunds', 'bulk_id')} || ' ' || state` },
  payout_runs: {
    first: ['t.request_key'],
    kind: `concat_ws(' ', state, case when released_at = created_at then 'at once' end)`,
  },
  payout_run_lines: {
    first: [`(select r.request_key from payout_runs r where (r.mer_no, r.run_id) = (t.mer_no, t.run_id))`],
    kind: `${stateOf('payout_runs', 'run_id')} || ' ' || state`,
  },
  hosted_orders: {
    kind: `(select case o.state when 1 then 'open' else 'over' end from orders o
      where (o.mer_no, o.trade_no) = (t.mer_no, t.trade_no))`,
  },
  rates: {
    kind: `concat_ws(' ', case when valid_from in (select made_at from demo_merchants) then 'of the sandbox'
      when derived then 'derived' else 'set' end, case when valid_from > now() then 'coming' end)`,
    names: [`t.from_currency || '/' || t.to_currency`],
  },
  sweeps: {
    kind: 'name',
    names: [`(select min(o.trade_no) from orders o where o.attempt_state = 'calling')`],
    values: { swept_until: ['pg_snapshot_xmax(pg_current_snapshot())::text::bigint'] },
  },
  used_tokens: { names: [`'T' || substr(t.reference, 2, 26)`] },
  order_details: {},
  beneficiaries: {
    kind: `concat_ws(' ', state, case when confirmed_by is not null then 'confirmed' end)`,
  },
}

/** Tables that contain no money, no state of money and no link to money. */
export const tablesWithoutMoney: Readonly<Record<string, readonly string[]>> = {
  'settings: money that they moved is proved by the orders that used them': [
    ...[
      'merchants',
      'merchant_channels',
      'merchant_currencies',
      'merchant_plans',
      'fee_plans',
      'named_plans',
    ],
    ...['platform_limits', 'payout_settings', 'reference_items', 'reference_lists', 'channel_pauses'],
  ],
  'people, and how they sign in': [
    ...['users', 'user_devices', 'user_links', 'roles', 'sessions', 'session_challenges', 'sign_in_rules'],
    ...['sign_in_tries', 'passkeys', 'recovery_codes', 'company_details', 'registered_companies'],
    ...['unconfirmed_companies', 'saved_views', 'alert_settings'],
  ],
  'keys and addresses of merchants, without money': ['merchant_keys', 'merchant_websites', 'platform_keys'],
  'mails and alerts, which repeat what other tables say': ['mails', 'alerts', 'alert_pauses'],
  'logs of requests, and files that were made from other tables': [
    ...['request_log', 'request_log_bodies', 'request_log_payments', 'exports', 'export_chunks'],
    ...['export_schedules', 'operator_runs', 'channel_health'],
  ],
  'notes of channels about calls, which a channel answers again': [
    ...['channel_asks', 'channel_numbers', 'channel_records', 'channel_watchers'],
  ],
  'risk: what was checked before money moved': ['risk_entries', 'risk_hits', 'risk_rules', 'risk_uses'],
  'whom not to notify for now, and what to send again': ['notification_pauses', 'notification_resends'],
  'the database itself': ['migrations', 'database_mode', 'demo_merchants'],
  'the log of decisions, which a trigger protects; the audit reads the lines of corrections': ['audit_log'],
}

/**
 * Tables that a command writes again from other tables, each with the command. The test of the command corrupts them:
 * src/operator/cli/installation/search.test.ts.
 */
export const derivedTables: Readonly<Record<string, string>> = {
  indexed_orders: 'search rebuild',
  order_keys: 'search rebuild',
  order_counts: 'search rebuild',
  order_milestones: 'search rebuild',
  order_index_progress: 'search rebuild',
}

/** Columns that contain no money, state, time or link. */
export const columnsWithoutMoney: Readonly<Record<string, readonly string[]>> = {
  'a text for people': [
    ...[
      'orders.message',
      'attempt_rows.message',
      'order_event_rows.why',
      'refunds.message',
      'refunds.remark',
    ],
    ...['refund_events.why', 'reviews.note', 'bulk_refunds.reason', 'bulk_refund_rows.message'],
    ...['bulk_refunds.user_id', 'payout_run_lines.beneficiary'],
    ...['payout_runs.name', 'payout_runs.reason', 'payout_run_lines.problem', 'approvals.reason'],
    ...['approvals.decision', 'payment_links.title', 'payment_links.reference', 'payment_links.language'],
    ...['chargeback_evidence.note', 'statement_differences.note', 'channel_statements.file_name'],
    ...['notification_attempts.answer', 'notification_attempts.error', 'notifications.acked_answer'],
    ...['beneficiaries.label', 'chargebacks.reason', 'suspense.why'],
    ...['channel_disputes.reason'],
  ],
  'an address to which merchants and payers are sent': [
    ...['orders.return_url', 'orders.notify_url', 'orders.protest_notify_url', 'refunds.notify_url'],
    ...['payment_links.notify_url', 'notifications.url'],
  ],
  'a masked card or account, for people': [
    ...['orders.card_first6', 'orders.card_last4', 'orders.card_brand', 'orders.card_fingerprint'],
    ...['attempt_rows.card_first6', 'attempt_rows.card_last4', 'attempt_rows.card_brand'],
    ...['attempt_rows.card_fingerprint', 'payouts.account_masked', 'payout_run_lines.account_masked'],
    ...['beneficiaries.account_masked', 'deposits.payer_name', 'deposits.payer_account'],
  ],
  'an encrypted value, whose seal is checked when it is opened': [
    ...['attempt_rows.sealed', 'payouts.sealed', 'payout_run_lines.sealed', 'reviews.sealed'],
    ...[
      'review_files.sealed',
      'chargeback_evidence.file_sealed',
      'order_details.sealed',
      'beneficiaries.sealed',
      'beneficiaries.fingerprint',
    ],
  ],
  'what the payer or the merchant sent, for people and channels; the terms of a choice that was paid are proved at the order':
    [
      ...[
        'attempt_rows.chosen',
        'attempt_rows.action',
        'attempt_rows.details',
        'order_details.details',
        'order_details.request_mac',
        'payouts.beneficiary',
      ],
      ...['beneficiaries.details'],
    ],
  'how often and when a counterparty is asked next; a wrong value only changes the next query': [
    ...[
      'orders.attempt_ask_at',
      'attempt_rows.ask_at',
      'attempt_rows.asks',
      'refunds.ask_at',
      'refunds.asks',
    ],
    ...['payouts.ask_at', 'payouts.asks', 'reviews.ask_at', 'reviews.asks', 'payout_run_lines.ask_at'],
    ...['bulk_refunds.leased_until', 'notifications.leased_until', 'chargebacks.reminders'],
  ],
  'the queue from which a notification is sent: both queues send it': ['notifications.parked'],
  'the id of a batch': ['balance_deltas.delta_id', 'order_total_deltas.delta_id'],
  "the merchant's own number of a refund, which a unique index protects": ['refunds.mer_refund_no'],
  'how long people may take': ['chargebacks.answer_by'],
  'evidence for people: a file and what it shows': [
    ...['review_files.proves', 'review_files.suffix', 'review_files.bytes', 'review_files.sha256'],
    ...['review_files.uploaded_at', 'chargeback_evidence.file_name', 'chargeback_evidence.file_bytes'],
    ...['chargeback_evidence.file_sha256', 'chargeback_evidence.added_by', 'chargeback_evidence.evidence_id'],
    ...['chargeback_evidence.added_at', 'review_files.file_id'],
  ],
  'how long a delivery took, for people': [
    ...['notification_attempts.started_at', 'notification_attempts.finished_at'],
    ...['notification_attempts.latency_ms', 'notifications.acked_status', 'notifications.acked_latency_ms'],
  ],
  'the transaction that wrote the row, for sweeps and lists': ['orders.made_in', 'notifications.stored_in'],
}
