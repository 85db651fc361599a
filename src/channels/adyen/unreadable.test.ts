// What Adyen sends and we cannot read: it brings an operator, once, and keeps nothing else from being read.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type NewItem, notification } from '../../../sandbox/adyen/sign.ts'
import { type AdyenWorld, openAdyenWorld } from '../../../test/adyen.ts'
import { makeReference } from '../../../test/channel-driver.ts'
import { openFaultyProxy, respond } from '../../../test/faulty-proxy.ts'

let world: AdyenWorld
before(async () => {
  world = await openAdyenWorld()
})
after(() => world.close())

async function tell(...items: readonly Partial<NewItem>[]) {
  const whole = items.map((item) => ({
    eventCode: 'AUTHORISATION',
    success: true,
    pspReference: 'P1',
    merchantAccountCode: world.adyen.merchantAccount,
    merchantReference: makeReference(),
    amount: { value: 2500, currency: 'EUR' },
    ...item,
  }))
  const body = notification(whole, world.adyen.hmacKey)
  const callback = { method: 'POST', path: '/callbacks/adyen', query: '', headers: {}, body }
  const result = await world.channel('card').readCallback?.(callback)
  assert.ok(result?.kind === 'accepted' && result.answer.status === 200)
  return result
}

it('a dispute over an amount that we cannot express is told once, and those behind it are read', async () => {
  const [odd, good] = [makeReference(), makeReference()]
  // Adyen has hundredths of a króna, and we have none.
  const amount = { value: 2550, currency: 'ISK' }
  const message = [
    { eventCode: 'CHARGEBACK', pspReference: 'D1', merchantReference: odd, amount },
    { eventCode: 'CHARGEBACK', pspReference: 'D2', merchantReference: good },
    { eventCode: 'CHARGEBACK', pspReference: 'D3', merchantReference: '', amount },
  ]
  for (const _again of [1, 2]) {
    const { disputes } = await tell(...message)
    assert.deepEqual(
      disputes?.map(({ reference, stage }) => [reference, stage]),
      [[good, 'open']],
    )
  }
  const [what = '', ...others] = world.alarmsAbout(odd)
  assert.match(what, /D1 .CHARGEBACK./)
  assert.deepEqual([others, world.alarmsAbout(''), world.alarmsAbout(good)], [[], [], []])
})

it('an event that nobody has seen is told once, and one that says nothing about money is not', async () => {
  const [one, two] = [makeReference(), makeReference()]
  const eventCode = 'CHARGEBACK_MEDIATION'
  const { reports } = await tell({ eventCode, merchantReference: one }, { merchantReference: two })
  assert.deepEqual(
    reports.map(({ reference, outcome }) => [reference, outcome.kind]),
    [[two, 'succeeded']],
  )
  assert.match(world.alarmsAbout(one).join(), /CHARGEBACK_MEDIATION/)
  const later = makeReference()
  for (const event of [eventCode, 'CAPTURE', 'NOTIFICATION_OF_FRAUD', 'INFORMATION_SUPPLIED'])
    await tell({ eventCode: event, merchantReference: later })
  assert.deepEqual(world.alarmsAbout(later), [])
})

it('a line of a settlement report is told once and tried again, and the others are on the statement', async (t) => {
  const account = world.adyen.merchantAccount
  const header = 'Merchant Account,Merchant Reference,Type,Creation Date,Gross Currency,Gross Credit (GC)'
  const line = (reference: string, type: string, amount: string) =>
    `${account},${reference},${type},2026-02-03 10:00:00,EUR,${amount}`
  const csv = (bad: string) =>
    [header, line('A1', 'Settled', '1.00'), line('A2', 'Settled', bad), line('A3', 'Settled', '3.00')].join(
      '\n',
    )
  const proxy = await openFaultyProxy(world.url)
  t.after(() => proxy.close())
  const key = 'settlement_detail_report_batch_801.csv'
  await world.store.write([{ add: { kind: 'report', key, body: { url: `${proxy.url}/${key}` } } }])
  const { watcher, statement } = world.connect({ ...world.settings('card'), url: proxy.url })
  const work = async () => watcher?.work(AbortSignal.timeout(60_000))
  const references = async () => {
    const listed = await statement?.('2026-02-03')
    return listed?.kind === 'listed' && listed.lines.map(({ reference }) => reference)
  }
  proxy.meet(respond(200, csv('two')))
  for (const _again of [1, 2]) {
    await assert.rejects(work, /batch_801.csv: lines .* cannot be read: 3/)
    assert.deepEqual(await references(), ['A1', 'A3'])
  }
  assert.equal(world.alarmsAbout(key).length, 1)
  proxy.meet(respond(200, csv('2.00')))
  await work()
  assert.deepEqual(await references(), ['A1', 'A2', 'A3'])
})

it('a settlement report with a type that nobody has seen is read, and the type is told once for each report', async (t) => {
  const account = world.adyen.merchantAccount
  const header = 'Merchant Account,Merchant Reference,Type,Creation Date,Gross Currency,Gross Credit (GC)'
  const lines = ['Settled', 'Fee', 'MediationSettled', 'ChargebackReversed', 'MediationSettled'].map(
    (type) => `${account},B1,${type},2026-02-04 10:00:00,EUR,1.00`,
  )
  const proxy = await openFaultyProxy(world.url)
  t.after(() => proxy.close())
  proxy.meet(respond(200, [header, ...lines].join('\n')))
  const names = [802, 803].map((batch) => `settlement_detail_report_batch_${batch}.csv`)
  for (const key of names)
    await world.store.write([{ add: { kind: 'report', key, body: { url: `${proxy.url}/${key}` } } }])
  const { watcher, statement } = world.connect({ ...world.settings('card'), url: proxy.url })
  await watcher?.work(AbortSignal.timeout(60_000))
  const listed = await statement?.('2026-02-04')
  assert.equal(listed?.kind === 'listed' && listed.lines.length, names.length)
  const told = names.flatMap((name) => world.alarmsAbout(name))
  assert.equal(told.length, names.length)
  for (const one of told) assert.match(one, /MediationSettled/)
})
