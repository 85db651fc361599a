// The simulation's checks find what they promise to find: the tests change rows directly in the database, and the
// checks name each change.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { callGateway } from '../../simulation/call-gateway.ts'
import type { Finding } from '../../simulation/check.ts'
import { checks } from '../../simulation/checks/all.ts'
import { sendOrder } from '../../simulation/operations/send-order.ts'
import { settle } from '../../simulation/settle.ts'
import { createTally } from '../../simulation/tally.ts'
import type { SentOrder, Shop } from '../../simulation/witness.ts'
import { openWorld, type World } from '../../simulation/world/world.ts'
import { cardBody } from '../harness/client.ts'

let world: World
let paid: SentOrder
let refunded: SentOrder
let declined: SentOrder

before(async () => {
  world = await openWorld({ seed: 7, say: () => {} })
  const shop = world.shops[0]
  assert.ok(shop)
  paid = await pay(shop, '4242424242424242')
  refunded = await pay(shop, '4242424242424242')
  declined = await pay(shop, '4000000000000002')
  await refund(refunded, '1.00')
  assert.deepEqual(await settle(world, createTally(world.faults)), [])
})
after(() => world.close())

async function pay(shop: Shop, cardNo: string): Promise<SentOrder> {
  const merOrderNo = world.witness.newNumber('C')
  const notifyUrl = `${world.merchants.url}/${shop.merNo}/payment`
  const body = cardBody(shop, { merOrderNo, cardNo, notifyUrl })
  const never = { below: () => 0, chance: () => false, pick: () => undefined }
  const actor = { world, shop, random: never }
  return await sendOrder(actor, { kind: 'payment', by: 'test', path: '/payment', body })
}

async function refund(order: SentOrder, amount: string): Promise<void> {
  const number = world.witness.newNumber('R')
  const { merNo } = order.shop
  const answer = await callGateway(order.shop, '/refund/apply', {
    merNo,
    merOrderNo: order.number,
    tradeNo: order.tradeNo,
    merRefundNo: number,
    amount,
    remark: 'test',
    notifyUrl: `${world.merchants.url}/${merNo}/refund`,
    version: 'V3.0.0',
  })
  const sent = { order, number, amount, wasDisputed: false, answers: [answer], lastQueried: undefined }
  world.witness.refunds.set(number, sent)
}

async function findings(): Promise<(Finding & { readonly check: string })[]> {
  const found = []
  for (const { name, run } of checks)
    for (const finding of (await run(world)).findings) found.push({ ...finding, check: name })
  return found
}

/** Runs statements with the ledger's trigger off. */
async function change(...texts: readonly string[]): Promise<void> {
  await world.db.transaction(async (tx) => {
    await tx.query({ text: 'set local session_replication_role = replica' })
    for (const text of texts) await tx.query({ text })
  })
}

test('a run without faults has no findings', async () => {
  assert.deepEqual(await findings(), [])
})

type Corruption = {
  readonly name: string
  readonly what: RegExp
  readonly about: () => SentOrder
  readonly spoil: () => readonly string[]
  readonly repair: () => readonly string[]
}

const of = (order: SentOrder) => `trade_no = '${order.tradeNo}'`
const booked = (order: SentOrder) => `subject = '${order.tradeNo}' and step = 'payment'`
const keep = (table: string, rows: string) => `create table kept as select * from ${table} where ${rows}`
const giveBack = (table: string) => [`insert into ${table} select * from kept`, 'drop table kept']

const corruptions: readonly Corruption[] = [
  {
    name: 'a payment is not booked',
    what: /has 0 payment entries/,
    about: () => paid,
    spoil: () => [keep('bookings', booked(paid)), `delete from bookings where ${booked(paid)}`],
    repair: () => giveBack('bookings'),
  },
  {
    name: 'a payment is booked with another amount',
    what: /came there, \d+ is booked here/,
    about: () => paid,
    spoil: () => [`update bookings set amounts[1] = amounts[1] + 1 where ${booked(paid)}`],
    repair: () => [`update bookings set amounts[1] = amounts[1] - 1 where ${booked(paid)}`],
  },
  {
    name: 'a paid order is failed',
    what: /answered as successful and is in state 6/,
    about: () => paid,
    spoil: () => [`update orders set state = 6 where ${of(paid)}`],
    repair: () => [`update orders set state = 5 where ${of(paid)}`],
  },
  {
    name: 'a declined payment is in the ledger',
    what: /answered as failed and is in the ledger/,
    about: () => declined,
    spoil: () => [
      `insert into bookings select mer_no, '${declined.tradeNo}', step, currency, at, steps, debited, credited, amounts
        from bookings where ${booked(paid)}`,
    ],
    repair: () => [`delete from bookings where ${booked(declined)}`],
  },
  {
    name: 'an order is gone',
    what: /was accepted and does not exist/,
    about: () => paid,
    spoil: () => [keep('orders', of(paid)), `delete from orders where ${of(paid)}`],
    repair: () => giveBack('orders'),
  },
  {
    name: 'a row of history is missing',
    what: /change of state has no row of history/,
    about: () => refunded,
    spoil: () => [
      keep('order_event_rows', of(refunded)),
      `delete from order_event_rows where ${of(refunded)}`,
    ],
    repair: () => giveBack('order_event_rows'),
  },
  {
    name: 'an attempt is under way for good',
    what: /paid at card-issuer, still calling here/,
    about: () => paid,
    spoil: () => [keep('orders', of(paid)), `update orders set attempt_state = 'calling' where ${of(paid)}`],
    // The gateway may have found the call meanwhile, and expanded the order into rows.
    repair: () => [
      ...['attempt_rows', 'order_event_rows', 'orders'].map(
        (table) => `delete from ${table} where ${of(paid)}`,
      ),
      ...giveBack('orders'),
    ],
  },
  {
    name: 'a notification is lost',
    what: /0 notifications of payment 0, expected 1/,
    about: () => paid,
    spoil: () => [keep('notifications', of(paid)), `delete from notifications where ${of(paid)}`],
    repair: () => giveBack('notifications'),
  },
  {
    name: 'a notification says something else',
    what: /body says something else than its row/,
    about: () => paid,
    spoil: () => [
      `update notifications set fields = jsonb_set(fields::jsonb, '{message}', '"no"') where ${of(paid)}`,
    ],
    repair: () => [
      `update notifications set fields = jsonb_set(fields::jsonb, '{message}', '"Payment succeeded"') where ${of(paid)}`,
    ],
  },
  {
    name: 'a refund failed here and was paid there',
    what: /paid there, failed here/,
    about: () => refunded,
    spoil: () => [`update refunds set state = 'failed' where ${of(refunded)}`],
    repair: () => [`update refunds set state = 'succeeded' where ${of(refunded)}`],
  },
  {
    name: 'a refund is larger than its payment',
    what: /gave back more than was paid/,
    about: () => refunded,
    spoil: () => [`update refunds set amount = amount + 1135, paid_amount = 9999 where ${of(refunded)}`],
    repair: () => [`update refunds set amount = amount - 1135, paid_amount = 1234 where ${of(refunded)}`],
  },
  {
    name: 'a margin is smaller than its terms say',
    what: /held, expected 62 and 62/,
    about: () => paid,
    spoil: () => [`update orders set margin_held = margin_held - 1 where ${of(paid)}`],
    repair: () => [`update orders set margin_held = margin_held + 1 where ${of(paid)}`],
  },
  {
    name: 'a settlement is due on another day',
    what: /the settlement is not due as the terms say/,
    about: () => paid,
    spoil: () => [`update order_dues set due_at = due_at + interval '1 day' where ${of(paid)}`],
    repair: () => [`update order_dues set due_at = due_at - interval '1 day' where ${of(paid)}`],
  },
]

for (const { name, what, about, spoil, repair } of corruptions) {
  test(`named: ${name}`, async () => {
    await change(...spoil())
    try {
      const found = (await findings()).filter((finding) => finding.about === about().number)
      assert.ok(
        found.some((finding) => what.test(finding.what)),
        JSON.stringify(found.map((finding) => `${finding.check}: ${finding.what}`)),
      )
    } finally {
      await change(...repair())
    }
  })
}

test("named: a charge that only the issuer's book has, and one with another amount", async () => {
  const book = new DatabaseSync(join(world.dataDir, 'sandbox', 'card-issuer.sqlite'))
  const reference = `A${paid.tradeNo?.slice(1)}1`
  const other = `A${paid.tradeNo?.slice(1)}2`
  try {
    book.exec(`insert into charges select '${other}', 'x', amount, currency, status, reason, at
      from charges where reference = '${reference}'`)
    assert.match(await whatAbout(other), /no attempt has this reference/)
    book.exec(`delete from charges where reference = '${other}'`)
    book.exec(`update charges set amount = amount + 1 where reference = '${reference}'`)
    assert.match(await whatAbout(paid.number), /1235 came there, 1234 is booked here/)
    book.exec(`update charges set amount = amount - 1 where reference = '${reference}'`)
  } finally {
    book.close()
  }
  assert.deepEqual(await findings(), [])
})

async function whatAbout(subject: string): Promise<string> {
  const found = (await findings()).filter(({ about }) => about === subject)
  return found.map(({ what }) => what).join('; ')
}
