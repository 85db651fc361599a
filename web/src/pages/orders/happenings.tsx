// Everything that happened to an order, in the order of time. The timeline shows it.
import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import type { Reply } from '../../api/send.ts'
import { Facts } from '../../parts/facts.tsx'
import { formatMoney, type MoneyValue } from '../../parts/money.tsx'
import { plainCause } from '../../parts/plain-cause.ts'
import type { Tone } from '../../parts/state-label.tsx'
import type { Happening } from '../../parts/timeline.tsx'
import type { OrdersWords } from '../../words/orders.ts'
import { toneOf } from './order-state.tsx'

export type OrderView = Reply<'GET /orders/:tradeNo'>

export function happeningsOf(view: OrderView, orders: OrdersWords, locale: string): readonly Happening[] {
  const sum = (money: MoneyValue) => formatMoney(money, locale)
  const all: Happening[] = [
    { key: 'created', at: view.order.createdAt, title: orders.created },
    ...view.states.map(({ to, why, at }, index) => ({
      key: `state-${index}`,
      at,
      title: orders.becomes(orders.states[to] ?? String(to)),
      tone: toneOf(to),
      ...(why !== '' && { details: why }),
    })),
    ...view.attempts.flatMap((attempt) => attemptHappenings(attempt, orders)),
    ...view.risk.map((hit) => riskHappening(hit, orders)),
    // The index is the key, because deposits of two channels may have the same number.
    ...view.deposits.map(({ money, at }, index) => ({
      key: `deposit-${index}`,
      at,
      title: orders.depositCame(sum(money)),
    })),
    ...view.refunds.flatMap((refund) => refundHappenings(refund, orders, sum)),
    ...view.chargebacks.flatMap((chargeback) => disputeHappenings(chargeback, orders, sum)),
    ...view.notifications.flatMap((notification) => deliveryHappenings(notification, orders)),
  ]
  return inOrder(all)
}

export function callsOf(view: OrderView, orders: OrdersWords, pathOf: (id: string) => string): Happening[] {
  return view.requests.map(({ requestId, at, endpoint, code, reason }) => ({
    key: requestId,
    at,
    title: (
      <Anchor component={Link} href={pathOf(requestId)} inherit>
        {orders.called(endpoint, code)}
      </Anchor>
    ),
    tone: code === '00000' ? 'neutral' : 'error',
    ...(reason !== null && { details: reason }),
  }))
}

export function inOrder(happenings: readonly Happening[]): readonly Happening[] {
  return happenings.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/**
 * Returns each moment once, oldest first. A settlement is not shown as an event of its own, but its moment is included,
 * because it changes the money of an order.
 */
export function momentsOf(view: OrderView, happenings: readonly Happening[]): readonly string[] {
  const all = [...happenings, ...view.entries].map(({ at }) => at)
  const settled = view.settledAt === null ? [] : [view.settledAt]
  return [...new Set([...all, ...settled])].toSorted((one, other) => Date.parse(one) - Date.parse(other))
}

const ends: Readonly<Record<string, Tone>> = { succeeded: 'done', failed: 'error', returned: 'error' }

function attemptHappenings(attempt: OrderView['attempts'][number], orders: OrdersWords): Happening[] {
  const { attemptNo, state, message, card, channelRef, channel, createdAt, decidedAt } = attempt
  const details = (
    <Facts
      of={[
        [orders.card, card],
        [orders.channel, channel],
        [orders.reference, channelRef],
        [orders.message, message],
      ]}
    />
  )
  const began = { key: `attempt-${attemptNo}`, at: createdAt, title: orders.attemptBegan(attemptNo), details }
  if (decidedAt === null) return [began]
  const title = orders.attemptEnded(attemptNo, orders.attemptStates[state] ?? state)
  return [began, { key: `attempt-end-${attemptNo}`, at: decidedAt, title, tone: ends[state] ?? 'neutral' }]
}

function riskHappening(hit: OrderView['risk'][number], orders: OrdersWords): Happening {
  const { attemptNo, name, action, watched, at } = hit
  const done = orders.riskActions[action] ?? action
  return {
    key: `risk-${attemptNo}-${name}-${action}`,
    at,
    title: watched ? orders.riskWatched(done, name) : orders.riskHit(done, name),
    tone: watched ? 'neutral' : action === 'refuse' ? 'error' : 'waiting',
  }
}

type Sum = (money: MoneyValue) => string

function refundHappenings(refund: OrderView['refunds'][number], orders: OrdersWords, sum: Sum): Happening[] {
  const { refundNo, money, state, message, remark, createdAt, decidedAt } = refund
  const made: Happening = {
    key: refundNo,
    at: createdAt,
    title: orders.refundMade(sum(money)),
    tone: decidedAt === null ? 'waiting' : 'neutral',
    ...(remark !== '' && { details: remark }),
  }
  if (decidedAt === null) return [made]
  const title = orders.refundEnded(sum(money), orders.refundStates[state] ?? state)
  return [
    made,
    { key: `${refundNo}-end`, at: decidedAt, title, tone: ends[state] ?? 'neutral', details: message },
  ]
}

function disputeHappenings(
  chargeback: OrderView['chargebacks'][number],
  orders: OrdersWords,
  sum: Sum,
): Happening[] {
  const { chargebackId, money, reasonInWords, state, openedAt, resolvedAt } = chargeback
  const isInquiry = state === 'inquiry' || state === 'closed'
  const titleOf = isInquiry ? orders.inquiryOpened : orders.disputeOpened
  const opened: Happening = {
    key: chargebackId,
    at: openedAt,
    title: titleOf(sum(money), reasonInWords),
    tone: 'waiting',
  }
  if (resolvedAt === null) return [opened]
  if (isInquiry)
    return [
      opened,
      { key: `${chargebackId}-end`, at: resolvedAt, title: orders.inquiryClosed, tone: 'neutral' },
    ]
  const won = state === 'won'
  return [
    opened,
    {
      key: `${chargebackId}-end`,
      at: resolvedAt,
      title: orders.disputeEnded(won),
      tone: won ? 'done' : 'error',
    },
  ]
}

function deliveryHappenings(
  { notificationId, event, url, deliveries }: OrderView['notifications'][number],
  orders: OrdersWords,
): Happening[] {
  return deliveries.map(({ attemptNo, startedAt, status, answer, error }) => ({
    key: `${notificationId}-${attemptNo}`,
    at: startedAt,
    title: orders.delivered(
      event,
      error !== null ? plainCause(error) : status === null ? orders.noAnswer : String(status),
    ),
    tone: error === null && status !== null ? 'done' : 'error',
    details: [url, error, answer].filter((text) => text !== null && text !== '').join('\n'),
  }))
}
