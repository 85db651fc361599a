// Checks attempts: that each belongs to an order, the number of open attempts, the times of decisions, and the wallet
// tokens that attempts used.
import { type Check, CLOCK_TOLERANCE, inSlice, isNear, ownerIn } from '../check.ts'

const isOpen = `state in ('calling', 'pending', 'unknown')`

export const attemptChecks: readonly Check[] = [
  {
    name: 'attempt-order',
    rule: 'Attempts belong to a payment and are numbered from 1; only the last one may be open, and only while its order waits',
    text: `
      select mer_no, trade_no as subject,
        format('%s attempts up to %s, open: %s, order in state %s', attempts, last, coalesce(open::text, 'none'), o.state)
          as found,
        'each attempt once, and only the last one of a waiting payment open' as expected
      from (
        select mer_no, trade_no, count(*) as attempts, min(attempt_no) as first, max(attempt_no) as last,
          min(attempt_no) filter (where ${isOpen}) as open
        from slice_attempts group by mer_no, trade_no
      ) a left join slice_orders o using (mer_no, trade_no)
      where o.kind is distinct from 'payment' or first <> 1 or last <> attempts or open < last
        or (open is not null and o.state <> 1)`,
  },
  {
    name: 'attempt-decided',
    rule: 'An attempt has the time of its decision exactly if it is decided, and not before it began',
    text: `
      select a.mer_no, a.trade_no as subject,
        format('%s %s, made at %s, decided at %s', a.attempt_no, a.state, a.created_at, a.decided_at) as found,
        'the times of its state' as expected
      from slice_attempts a join slice_orders o using (mer_no, trade_no)
      where ((a.state in ('succeeded', 'failed')) <> (a.decided_at is not null)
        or a.decided_at < a.created_at - ${CLOCK_TOLERANCE}
        or (a.state = 'succeeded' and a.decided_at > o.decided_at + ${CLOCK_TOLERANCE}))`,
  },
  {
    name: 'token-attempt',
    // A token that names no merchant is stored under merchant 0. The check reads one slice of the tokens at a time. So
    // the check finds two tokens of one attempt only if both tokens are in the same slice.
    rule: 'A token of a wallet was used by one attempt, when the attempt was made',
    text: `
      select u.mer_no, u.reference as subject, format('a token used at %s, %s tokens', u.used_at, u.tokens) as found,
        coalesce('an attempt made at ' || a.created_at, 'an attempt') as expected
      from (
        select mer_no, reference, used_at, count(*) over (partition by mer_no, reference) as tokens from used_tokens
        where ${inSlice('mer_no', 'token_id')}
      ) u left join lateral (
        select created_at from attempts a
        where a.mer_no = ${ownerIn('u.reference')} and a.trade_no = 'T' || substr(u.reference, 2, 26)
          and a.attempt_no::text = substr(u.reference, 28) limit 1
      ) a on true
      where u.tokens > 1 or u.mer_no not in (0, ${ownerIn('u.reference')}) or (${isNear('u.used_at', 'a.created_at')}) is not true`,
  },
]
