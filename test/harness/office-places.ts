// The places of the back office where operators or merchants can do what a command does, option by option.

/**
 * The counterpart of an option: a field of the route (`a.b` is inside `a`), a field of another route as in `GET
 * /payouts state`, another route, or the reason why there is none.
 */
export type Counterpart = string | { readonly none: string }

export type Place = { readonly route: string; readonly options: Readonly<Record<string, Counterpart>> }

function at(route: string, options: Place['options'] = {}): Place {
  return { route, options }
}

/** Maps each option to the field of the same name, inside the given field if there is one. */
function same(options: readonly string[], inside = ''): Place['options'] {
  return Object.fromEntries(options.map((option) => [option, inside + camelCase(option)]))
}

function camelCase(option: string): string {
  return option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

const why = { why: 'reason' }
/** A person's id belongs to one company, so it replaces both options. */
const person = { email: 'userId', merno: 'userId' }
const saved = { none: 'the browser saves the file' }
const ownKey = { none: 'merchants change their own key; the audit log says who it was' }
const noteIsReason = { none: 'the note is in the audit log' }

const terms = 'fee-bps fee-fixed refund-fee chargeback-fee margin-bps margin-days settle-days'.split(' ')
const merchant = [
  ...terms,
  ...'name currencies settle-currency methods card-brands limit-single limit-daily limit-monthly'.split(' '),
  ...'refund-credit approve-refunds payout-approval review-above payout-fee-bps payout-fee-fixed'.split(' '),
  ...'chargeback-url timezone require-ip require-rsa sign-answers notify-review accent logo'.split(' '),
  'amounts-in-notifications',
]

export const places: Readonly<Record<string, Place>> = {
  'merchant create': at('POST /merchants', {
    ...same([...merchant, 'pending']),
    'with-balances': { none: 'in a sandbox every merchant that is created here begins with balances' },
    site: 'sites',
    ip: 'ips',
    ...why,
  }),
  'merchant show': at('GET /merchants/:merNo'),
  'merchant set': at('PUT /merchants/:merNo', {
    ...same(merchant, 'options.'),
    site: 'options.sites',
    ip: 'options.ips',
    ...why,
  }),
  'merchant set-rsa': at('PUT /keys/rsa', { file: 'pem', why: ownKey }),
  'merchant rotate-key': at('POST /keys/rotate', { 'end-old-key': 'endsOldKey', why: ownKey }),
  'merchant approve': at('POST /merchants/:merNo/state', why),
  'merchant suspend': at('POST /merchants/:merNo/state', why),
  'merchant close': at('POST /merchants/:merNo/state', why),
  'merchant plan': at('PUT /merchants/:merNo/plans/:method', {
    ...same(terms, 'terms.'),
    method: 'method',
    remove: 'DELETE /merchants/:merNo/plans/:method',
    ...why,
  }),
  'merchant route': at('PUT /merchants/:merNo/routes/:method/:channel', {
    ...same(['method', 'channel', 'priority', 'weight']),
    off: 'DELETE /merchants/:merNo/routes/:method/:channel',
    ...why,
  }),
  'merchant site': at('POST /merchants/:merNo/websites', {
    ask: 'action',
    approve: 'action',
    remove: 'action',
    ...why,
  }),
  'fee-plan list': at('GET /fee-plans'),
  'fee-plan set': at('PUT /fee-plans/:plan/:method', {
    ...same(terms, 'terms.'),
    method: 'method',
    remove: 'DELETE /fee-plans/:plan/:method',
    ...why,
  }),
  'fee-plan assign': at('PUT /merchants/:merNo/fee-plan', { plan: 'plan', ...why }),
  'user create': at('POST /users', { ...same(['email', 'role']), merno: 'merNo' }),
  'user disable': at('POST /users/:userId/disable', { ...person, ...why }),
  'user reset-factor': at('POST /users/:userId/reset-factor', { ...person, ...why }),
  'user list': at('GET /users', { merno: 'merNo' }),
  'platform limit': at('PUT /platform/limits/:method', { ...same(['method', 'daily', 'monthly']), ...why }),
  'platform show': at('GET /platform/limits'),
  'fx set': at('POST /rates', { ...same(['from', 'to', 'rate', 'valid-from', 'confirm']), ...why }),
  settle: at('POST /settlement/runs', { 'as-of': 'asOf', ...why }),
  'channel list': at('GET /channels'),
  'channel show': at('GET /channels'),
  'channel check': at('POST /channels/:name/check'),
  'channel pause': at('POST /channels/:name/pause', why),
  'channel resume': at('POST /channels/:name/resume', why),
  'chargeback open': at('POST /disputes', { ...same(['trade-no', 'amount']), reason: 'reasonCode', ...why }),
  'chargeback resolve': at('POST /disputes/:tradeNo/resolve', { ...same(['trade-no', 'outcome']), ...why }),
  'chargeback list': at('GET /disputes', { state: 'state' }),
  'chargeback evidence': at('POST /disputes/:tradeNo/evidence', {
    ...same(['trade-no', 'note']),
    file: 'file.content',
    why: noteIsReason,
  }),
  'link list': at('GET /links', { 'mer-no': 'merNo' }),
  'link stop': at('PUT /links/:linkId/stop', why),
  'link resume': at('PUT /links/:linkId/stop', why),
  'risk list': at('GET /risk/entries', { search: 'search' }),
  'risk add': at('POST /risk/entries', {
    ...same(['list', 'kind', 'value', 'mer-no']),
    'of-order': 'tradeNo',
    until: 'expiresAt',
    ...why,
  }),
  'risk remove': at('POST /risk/entries/:entryId/remove', why),
  'risk rules': at('GET /risk/rules'),
  'risk add-rule': at('POST /risk/rules', { ...same(['name', 'action', 'conditions', 'mer-no']), ...why }),
  'risk try': at('POST /risk/rules/:ruleId/try', {
    why: { none: 'a trial only stores what it found; the audit log says who began it' },
  }),
  'risk switch': at('POST /risk/rules/:ruleId/state', { to: 'state', ...why }),
  'reference list': at('GET /reference-items'),
  'reference add': at('POST /reference-items', { ...same(['code', 'name', 'bic']), ...why }),
  'reference change': at('PUT /reference-items/:code', { ...same(['code', 'name', 'bic']), ...why }),
  'reference remove': at('POST /reference-items/:code/remove', { code: 'code', ...why }),
  'ledger verify': at('POST /books/verify'),
  'ledger correct': at('POST /corrections', same(['mer-no', 'from', 'to', 'amount', 'currency', 'reason'])),
  statement: at('GET /statement.csv', { ...same(['mer-no', 'currency', 'from', 'to']), out: saved }),
  'suspense list': at('GET /suspense', { 'mer-no': 'merNo', limit: 'after' }),
  'suspense accept': at('POST /suspense/:suspenseId/accept', why),
  'suspense return': at('POST /suspense/:suspenseId/return', why),
  'suspense assign': at('POST /suspense/:suspenseId/assign', { 'trade-no': 'tradeNo', ...why }),
  reconcile: at('POST /reconciliation/imports', {
    channel: 'channel',
    file: 'content',
    day: 'POST /reconciliation/fetches day',
    replaces: 'replaces',
    ...why,
  }),
  'notify list': at('GET /notifications', same(['mer-no', 'trade-no', 'state'])),
  'notify resend': at('POST /notifications/:notificationId/resend', {
    'trade-no': 'GET /notifications tradeNo',
    id: 'notificationId',
    why: { none: 'the same message is sent again; the audit log says who asked for it' },
  }),
  'notify recover': at('POST /notifications/resend-failed', { ...same(['since', 'mer-no']), ...why }),
  'notify pause': at('PUT /notifications/pause', why),
  'notify resume': at('PUT /notifications/pause', why),
  exam: at('POST /exams', {
    ...same(['notify-url', 'state-url']),
    orders: 'orderNos',
    'mer-no': 'POST /merchants/:merNo/exams merNo',
    url: { none: 'the gateway that serves the page is the one that is asked' },
  }),
  'payout list': at('GET /payouts', { state: 'state', merchant: 'merNo' }),
  'payout approve': at('POST /payouts/:tradeNo/approve', why),
  'payout reject': at('POST /payouts/:tradeNo/reject', { reason: 'reason', why: 'auditReason' }),
  'outcome list': at('GET /outcomes', { 'mer-no': 'merNo' }),
  'outcome decide': at(
    'POST /outcomes/:tradeNo/decide',
    same(['trade-no', 'refund-no', 'as', 'amount', 'reason']),
  ),
  'approval list': at('GET /approvals', { state: 'state' }),
  'approval approve': at('POST /approvals/:approvalId/approve', { reason: 'reason' }),
  'approval reject': at('POST /approvals/:approvalId/reject', { reason: 'reason' }),
  'refund list': at('GET /refunds/waiting', { merchant: 'merNo' }),
  'refund approve': at('POST /refunds/:refundNo/approve', why),
  'refund reject': at('POST /refunds/:refundNo/reject', {
    reason: 'reason',
    why: 'auditReason',
  }),
  'review list': at('GET /reviews'),
  'review show': at('GET /reviews/:tradeNo'),
  'review pick': at('POST /reviews/:tradeNo/pick', why),
  'review ask': at('POST /reviews/:tradeNo/ask', { note: 'note', why: noteIsReason }),
  'review approve': at('POST /reviews/:tradeNo/approve', why),
  'review reject': at('POST /reviews/:tradeNo/reject', {
    note: 'note',
    returned: 'isReturned',
    why: noteIsReason,
  }),
  'review file': at('GET /reviews/:tradeNo/files/:fileId', { out: saved }),
  sign: at('POST /signature/explain', {
    ...same(['body', 'mer-no']),
    key: { none: 'the gateway knows the key; people never send it one' },
    rsa: { none: 'only the merchant has the private key, which must never reach the gateway' },
  }),
  explain: at('GET /orders/:tradeNo'),
  'search rebuild': at('POST /search/rebuild', why),
  doctor: at('POST /doctor'),
}
