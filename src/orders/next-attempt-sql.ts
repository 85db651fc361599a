// Inserts the later attempts of an order: at the next channel, or when the payer tries again.
import { formatRate } from '../base/money.ts'
import type { Statement } from '../postgres/db.ts'
import { bool, bytes, int4, int8, listOf, text, time } from '../postgres/lists.ts'
import type { Begun } from './change.ts'
import type { ChosenColumns } from './lock-orders.ts'
import type { Choice } from './order.ts'

/** An attempt of the payer has its own card and fields; any other copies those of the previous attempt. */
export function insertNextAttempts(changes: readonly Begun[]): Statement {
  return { name: 'orders.begin-attempts', text: insertNextAttemptsText, values: begun.values(changes) }
}

const begun = listOf<Begun>({
  mer_no: int8((one) => one.order.merNo),
  trade_no: text((one) => one.order.tradeNo),
  attempt_no: int4((one) => one.next.no),
  channel: text((one) => one.next.channel),
  created_at: time((one) => one.at),
  ask_at: time((one) => one.next.askAt),
  is_entered: bool((one) => one.next.entered !== undefined),
  card_first6: text((one) => one.next.entered?.card?.first6),
  card_last4: text((one) => one.next.entered?.card?.last4),
  card_brand: text((one) => one.next.entered?.card?.brand),
  card_fingerprint: text((one) => one.next.entered?.card?.fingerprint),
  details: text(({ next: { entered } }) => entered && JSON.stringify(entered.details)),
  sealed: bytes((one) => one.next.entered?.sealed),
  chosen: text(({ choice }) => choice && JSON.stringify(toChosen(choice))),
})

const takenOver = (name: string) => `coalesce(g.${name}, a.${name})`

const insertNextAttemptsText = `
  insert into attempt_rows (
    mer_no, trade_no, attempt_no, channel, state, created_at, ask_at,
    card_first6, card_last4, card_brand, card_fingerprint, details, sealed, chosen)
  select
    g.mer_no, g.trade_no, g.attempt_no, g.channel, 'calling', g.created_at, g.ask_at,
    ${['card_first6', 'card_last4', 'card_brand', 'card_fingerprint'].map(takenOver).join(', ')},
    coalesce(g.details::json, a.details), ${takenOver('sealed')}, coalesce(g.chosen::json, a.chosen)
  from ${begun.text}
  left join attempt_rows a on not g.is_entered
    and a.mer_no = g.mer_no and a.trade_no = g.trade_no and a.attempt_no = g.attempt_no - 1`

function toChosen({ method, terms, platformLimited }: Choice): ChosenColumns {
  return {
    method,
    platform_limited: platformLimited,
    fee_bps: terms.feeBps,
    fee_fixed: terms.feeFixed.toString(),
    margin_bps: terms.marginBps,
    margin_days: terms.marginDays,
    settle_days: terms.settleDays,
    settle_currency: terms.settleCurrency,
    settle_rate: terms.settleRate && formatRate(terms.settleRate),
  }
}
