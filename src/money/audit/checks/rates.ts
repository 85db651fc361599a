// Checks the rates against the audit log, and checks that the rate of each order and payout was in force when the order
// or payout used the rate.
import { type Check, CLOCK_TOLERANCE, inSlice } from '../check.ts'

/**
 * The periods in which rates were in force. A rate ends when a later rate of the same pair begins, with one exception:
 * a derived rate never replaces a rate that an operator set.
 */
const periods = `
  periods as materialized (
    select from_currency, to_currency, rate, valid_from as first, case
        when derived then (
          select min(s.valid_from) from rates s
          where s.from_currency = r.from_currency and s.to_currency = r.to_currency
            and (not s.derived or s.valid_from > r.valid_from))
        else (
          select min(s.valid_from) from rates s
          where s.from_currency = r.from_currency and s.to_currency = r.to_currency and not s.derived
            and s.valid_from > r.valid_from)
        end as last
    from rates r
  )`

/** Returns the condition that the period overlaps the time in which the rate may have been used. */
const covers = (period: string) =>
  `${period}.first <= u.last + ${CLOCK_TOLERANCE} and coalesce(${period}.last >= u.first - ${CLOCK_TOLERANCE}, true)`

const SECONDS = 'YYYY-MM-DD"T"HH24:MI:SS'
const isTime = `'^\\d{4}-(0[1-9]|1[0-2])-\\d\\d(T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?Z)?$'`
const daysInMonth = `extract(day from
  make_date(left(given, 4)::int, substr(given, 6, 2)::int, 1) + interval '1 month' - interval '1 day')`

/**
 * The lines of the audit log about rates that operators set, each with the second in which the rate begins. This second
 * is null if the line has no time, or a time in another form. A command without a time writes the line just after the
 * rate.
 */
const lines = `
  lines as materialized (
    select split_part(subject, '/', 1) as from_currency, split_part(subject, '/', 2) as to_currency, at,
      (after ->> 'rate')::numeric as rate, given is null as is_now,
      case when given ~ ${isTime} then case when substr(given, 9, 2)::int between 1 and ${daysInMonth}
        then left(given || 'T00:00:00', 19) end end as begins
    from (
      select subject, at, after, coalesce(after ->> 'validFrom', after ->> 'valid-from') as given from audit_log
      where action = 'fx.set' collate "C" and mer_no = 0
    ) given
  )`

/** Returns a condition that is true if the rate can begin at the time of a line. */
const beginsWithLine = (rate: string) => `case
  when l.is_now then ${rate}.valid_from between l.at - ${CLOCK_TOLERANCE} and l.at
  else coalesce(to_char(${rate}.valid_from at time zone 'UTC', '${SECONDS}') = l.begins, true) end`
const isOfLine = (
  rate: string,
) => `${rate}.from_currency = l.from_currency and ${rate}.to_currency = l.to_currency
  and ${beginsWithLine(rate)}`
/** True if the rate is derived from the rate of the line: its inverse, rounded down to 12 decimals. */
const isDerivedFromLine = `r.from_currency = l.to_currency and r.to_currency = l.from_currency
  and ${beginsWithLine('r')} and r.rate = div(power(10::numeric, 12), l.rate) / power(10::numeric, 12)`

export const rateChecks: readonly Check[] = [
  {
    name: 'rate-set',
    rule: 'Every rate was set by a line of the audit log, or is the inverse of such a rate, and every line has its rate',
    over: 'platform',
    // Rates from before the first line and the starting rates of the sandbox have no line, so they are not findings.
    text: `
      with ${lines}
      select 0::bigint as mer_no, r.from_currency || '/' || r.to_currency as subject,
        format('%s %s from %s', trim_scale(r.rate), case when r.derived then 'derived' else 'set' end, r.valid_from) as found,
        'set by a line of the audit log' as expected
      from rates r
      where r.valid_from >= (select min(at) - ${CLOCK_TOLERANCE} from lines) and not exists (
          select from lines l
          where case when r.derived then ${isDerivedFromLine} else ${isOfLine('r')} and l.rate = r.rate end offset 0)
        and r.valid_from not in (select made_at from demo_merchants)
      union all
      select 0, l.from_currency || '/' || l.to_currency, 'no rate', format('%s from %s', l.rate, coalesce(l.begins, l.at::text))
      from lines l
      where not exists (select from rates s where ${isOfLine('s')} and not s.derived offset 0)
      union all
      select 0, l.to_currency || '/' || l.from_currency, 'no rate', format('the opposite of %s', l.rate) from lines l
      where l.rate between 0.000001 and 1000000 and not exists (
          select from rates o
          where o.from_currency = l.to_currency and o.to_currency = l.from_currency and (${beginsWithLine('o')}
            or not o.derived and o.valid_from < (select min(at) from lines)) offset 0)
        and not exists (
          select from lines e
          where e.from_currency = l.to_currency and e.to_currency = l.from_currency and e.at < l.at + interval '1 day' offset 0)`,
  },
  {
    name: 'rate-used',
    rule: 'The rate of an order or payout was in force when the order was accepted or paid',
    // Orders are grouped, so that each rate is looked up once for each hour. Only pairs that have rates are checked.
    text: `
      with ${periods}, used as materialized (
        select mer_no, min(trade_no) as trade_no, from_currency, to_currency, rate, min(first) as first, max(last) as last
        from (
          select o.mer_no, o.trade_no, o.currency as from_currency, o.settle_currency as to_currency,
            o.settle_rate as rate, o.created_at as first, coalesce(o.decided_at, o.created_at) as last
          from slice_orders o where o.is_foreign and o.settle_rate is not null
          union all
          select o.mer_no, o.trade_no, o.currency, p.funding_currency, p.funding_rate, o.created_at, o.created_at
          from slice_orders o join payouts p on p.mer_no = o.mer_no and p.trade_no = o.trade_no
            and ${inSlice('p.mer_no', 'p.trade_no')}
          where p.funding_rate is not null
        ) rated
        group by mer_no, from_currency, to_currency, rate, date_trunc('hour', first), date_trunc('hour', last)
      )
      select u.mer_no, u.trade_no as subject, format('%s %s to %s', u.rate, u.from_currency, u.to_currency) as found,
        coalesce(string_agg(distinct trim_scale(r.rate)::text, ' or '), 'no rate') as expected
      from used u left join lateral (
        select d.rate from periods d
        where d.from_currency = u.from_currency and d.to_currency = u.to_currency and ${covers('d')}
        union all
        select t.rate * f.rate from periods t, periods f
        where t.from_currency = u.from_currency and t.to_currency = 'USD' and f.from_currency = 'USD'
          and f.to_currency = u.to_currency and ${covers('t')} and ${covers('f')}
        offset 0
      ) r on true
      where u.mer_no not in (select mer_no from demo_merchants) and exists (
        select from periods d where d.from_currency = u.from_currency and d.to_currency in (u.to_currency, 'USD'))
      group by u.mer_no, u.trade_no, u.rate, u.from_currency, u.to_currency
      having not coalesce(bool_or(r.rate = u.rate), false)`,
  },
]
