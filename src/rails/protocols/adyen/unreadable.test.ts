// Messages of Adyen that cannot be read. Each raises one alarm, and does not stop the others.
import assert from 'node:assert/strict'
import { after, before, it, type TestContext } from 'node:test'
import { type NewItem, notification } from '../../../../sandbox/adyen/signature.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { type AdyenWorld, openAdyenWorld } from '../../../../test/counterparties/adyen.ts'
import { openFaultyProxy } from '../../../../test/counterparties/faulty-proxy.ts'
import { dieEverywhere, perhaps } from '../../../../test/harness/mortal-store.ts'
import type { Channel } from '../../contract/channel.ts'
import { READER } from './settlement.ts'

let world: AdyenWorld
before(async () => {
  world = await openAdyenWorld()
})
after(() => world.close())

const tell = (...items: readonly Partial<NewItem>[]) => tellAt(world.channel('card'), ...items)

async function tellAt(channel: Channel, ...items: readonly Partial<NewItem>[]) {
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
  const result = await channel.readCallback?.(callback)
  assert.ok(result?.kind === 'accepted' && result.answer.status === 200)
  return result
}

it('a dispute over an amount that we cannot express is reported once, and those behind it are read', async () => {
  const [odd, good] = [makeReference(), makeReference()]
  // Adyen counts ISK in hundredths and we count whole krónur, so we cannot express this amount.
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
  assert.deepEqual([...others, ...world.alarmsAbout(''), ...world.alarmsAbout(good)], [])
})

it('an event that nobody has seen is reported once, and one that says nothing about money is not', async () => {
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

it('an item that says neither that it succeeded nor that it failed decides nothing, and is reported once', async () => {
  for (const event of [
    { eventCode: 'AUTHORISATION' },
    { eventCode: 'REFUND' },
    { eventCode: 'TECHNICAL_CANCEL' },
  ]) {
    const reference = makeReference()
    const about = { ...event, pspReference: reference, merchantReference: reference }
    for (const success of ['', 'partly'])
      assert.deepEqual((await tell({ ...about, success })).reports, [], event.eventCode)
    assert.equal(world.alarmsAbout(reference).length, 1)
    for (const kind of ['payment', 'refund-result', 'cancel'])
      assert.equal(await world.store.find({ kind, key: reference }), undefined)
  }
})

it('an event that nobody has seen is reported once a day, however many payments it is about', async () => {
  let now = new Date('2026-03-01T23:00:00Z')
  const clock = { now: () => now }
  const [channel] = world.connect(world.settings('card'), undefined, clock).channels
  assert.ok(channel)
  const alarmsOf = async (...events: readonly string[]) => {
    const references = events.map(() => makeReference())
    const items = events.map((eventCode, at) => ({ eventCode, merchantReference: references[at] ?? '' }))
    await tellAt(channel, ...items)
    return references.flatMap((reference) => world.alarmsAbout(reference)).length
  }
  assert.equal(await alarmsOf('NEW_ONE', 'NEW_ONE', 'NEW_TWO'), 2)
  now = new Date('2026-03-01T23:59:59Z')
  assert.equal(await alarmsOf('NEW_ONE', 'NEW_TWO'), 0)
  now = new Date('2026-03-02T00:00:01Z')
  assert.equal(await alarmsOf('NEW_ONE', 'NEW_ONE'), 1)
  // The database refuses half a surrogate pair. If the webhook failed for that reason, Adyen's queue would wait for
  // ever.
  assert.equal(await alarmsOf('NEW_\ud800', `${'N'.repeat(59)}\u{1f600}`), 2)
})

const account = () => world.adyen.merchantAccount
const header =
  'Merchant Account,Psp Reference,Merchant Reference,Type,Creation Date,TimeZone,Gross Currency,Gross Credit (GC)'
const settled = (reference: string, amount: string) =>
  `${account()},P${reference},${reference},Settled,2026-02-03 10:00:00,UTC,EUR,${amount}`

/** Announces a report. The returned helpers set its content, have it read, and count its downloads. */
async function announced(t: TestContext, name: string) {
  const proxy = await openFaultyProxy(world.url)
  t.after(() => proxy.close())
  const announce = (pspReference = name, path = pspReference) =>
    tell({
      eventCode: 'REPORT_AVAILABLE',
      pspReference,
      merchantReference: '',
      reason: `${proxy.url}/${path}`,
    })
  await announce()
  const settings = { ...world.settings('card'), url: proxy.url }
  const { statement } = world.connect(settings)
  const paths: string[] = []
  const linesOf = async (day: string) => {
    const listed = await statement?.(day)
    assert.ok(listed?.kind === 'listed')
    return listed.lines
  }
  return {
    announce,
    contains(lines: readonly string[], meanwhile = async (_path: string): Promise<unknown> => undefined) {
      proxy.meet(async (_, { path }) => {
        paths.push(path)
        await meanwhile(path)
        return { status: 200, headers: {}, body: lines.join('\n') }
      })
    },
    downloads: () => paths.length,
    paths,
    /** Runs one round of a new watcher, as another process would. */
    async work(store = world.store) {
      const { watcher } = world.connect(settings, undefined, undefined, store)
      await watcher?.work(AbortSignal.timeout(60_000))
    },
    references: async () => (await linesOf('2026-02-03')).map(({ reference }) => reference),
    amounts: async (day: string) =>
      (await linesOf(day)).map(({ reference, money }) => `${reference} ${money.amount}`).sort(),
  }
}

it('a line of a settlement report is reported once, and the report is read again only when it is announced again', async (t) => {
  const name = 'settlement_detail_report_batch_801.csv'
  const { announce, contains, downloads, work, references } = await announced(t, name)
  contains([header, settled('A1', '1.00'), settled('A2', 'two'), settled('A3', '3.00')])
  for (const _round of [1, 2, 3]) await work()
  assert.deepEqual(await references(), ['A1', 'A3'])
  assert.equal(downloads(), 1)
  assert.deepEqual(world.alarmsAbout(name).length, 1)
  assert.match(world.alarmsAbout(name).join(), /line 3 cannot be read/)
  await announce()
  for (const _round of [1, 2]) await work()
  assert.equal(world.alarmsAbout(name).length, 2, 'it is reported again, because somebody asked for it')
  contains([header, settled('A1', '1.00'), settled('A2', '2.00'), settled('A3', '3.00')])
  await announce()
  for (const _round of [1, 2]) await work()
  assert.deepEqual(await references(), ['A1', 'A2', 'A3'])
  await announce()
  await work()
  assert.equal(downloads(), 3)
  assert.equal(world.alarmsAbout(name).length, 2)
})

it('a settlement report that was generated again replaces its lines, whatever their number and order are now', async (t) => {
  const [day, wrongDay] = ['2026-04-05', '2026-04-06']
  const of = (reference: string, amount: string, on = day) =>
    settled(reference, amount).replace('2026-02-03', on)
  const other = await announced(t, 'settlement_detail_report_batch_84.csv')
  other.contains([header, of('H1', '9.00')])
  await other.work()
  const { announce, contains, work, amounts } = await announced(t, 'settlement_detail_report_batch_841.csv')
  // The report has more lines than the gateway stores in one transaction.
  const gone = Array.from({ length: 500 }, (_, at) => of(`F${at}`, '1.00'))
  const first = [of('G1', '1.00'), ...gone, of('G2', '2.00'), of('G3', '3.00', wrongDay), of('G4', 'four')]
  contains([header, ...first])
  await work()
  assert.deepEqual((await amounts(day)).slice(500), ['G1 100', 'G2 200', 'H1 900'])
  assert.deepEqual(await amounts(wrongDay), ['G3 300'])
  const again = [of('G2', '2.50'), of('G5', '5.00'), of('G4', '4.00'), of('G1', '1.00'), of('G3', '3.00')]
  contains([header, ...again])
  await announce()
  await work()
  assert.deepEqual(await amounts(day), ['G1 100', 'G2 250', 'G3 300', 'G4 400', 'G5 500', 'H1 900'])
  assert.deepEqual(await amounts(wrongDay), [])
})

it('a settlement report that replaces another leaves no mixture, wherever the process dies', async (t) => {
  let batch = 850
  const deaths = await dieEverywhere(async (through, when) => {
    batch += 1
    const name = `settlement_detail_report_batch_${batch}.csv`
    const days = [`${batch + 2000}-01-01`, `${batch + 2000}-01-02`]
    const line = (reference: string, amount = '1.00') =>
      settled(reference, amount).replace('2026-02-03', String(days[reference < 'K3' ? 0 : 1]))
    const { announce, contains, work, amounts } = await announced(t, name)
    const listed = async () => (await Promise.all(days.map(amounts))).flat()
    contains([header, line('K1'), line('K2'), line('K3'), line('K4'), line('K5', 'x')])
    await work()
    assert.deepEqual(await listed(), ['K1 100', 'K2 100', 'K3 100', 'K4 100'])
    // Without K1, each remaining line has moved up by one.
    contains([header, line('K2'), line('K3', '3.00'), line('K4')])
    await announce()
    await perhaps(work(through(world.store)))
    const references = (await listed()).map((one) => one.slice(0, 2))
    assert.equal(new Set(references).size, references.length, `${when}: a line is listed twice`)
    await work()
    assert.deepEqual(await listed(), ['K2 100', 'K3 300', 'K4 100'], when)
  })
  assert.ok(deaths >= 10, `${deaths} deaths`)
})

it('a settlement report that is announced again while it is read is read once more', async (t) => {
  for (const [batch, firstAmount] of [
    [871, '1.00'],
    [872, 'one'],
  ] as const) {
    const day = `${batch + 2000}-01-01`
    const line = (amount: string) => settled('L1', amount).replace('2026-02-03', day)
    const report = await announced(t, `settlement_detail_report_batch_${batch}.csv`)
    report.contains([header, line(firstAmount)], () => report.announce())
    await report.work()
    report.contains([header, line('2.00')])
    for (const _round of [1, 2]) await report.work()
    assert.deepEqual(await report.amounts(day), ['L1 200'])
    assert.equal(report.downloads(), 2)
  }
})

it('a settlement report is read from where it was announced last, also while another one was read', async (t) => {
  const [first, second] = [881, 882].map((batch) => `settlement_detail_report_batch_${batch}.csv`)
  assert.ok(first && second)
  const { announce, contains, work, paths } = await announced(t, first)
  await announce(second, 'old.csv')
  contains([header], async (path) => path.endsWith(first) && announce(second, 'new.csv'))
  for (const _round of [1, 2]) await work()
  assert.deepEqual(paths, [`/${first}`, '/new.csv'])
})

it('a settlement report that another node has read meanwhile is not read again', async (t) => {
  const [first, second] = [883, 884].map((batch) => `settlement_detail_report_batch_${batch}.csv`)
  assert.ok(first && second)
  const { announce, contains, work, paths } = await announced(t, first)
  await announce(second)
  let isOther = false
  contains([header], async () => {
    if (isOther) return
    isOther = true
    await work()
  })
  await work()
  assert.deepEqual(paths, [`/${first}`, `/${first}`, `/${second}`])
})

it('a settlement report that is none, or that breaks off, is reported once, and what precedes the break is read', async (t) => {
  const reports = [
    { batch: 811, lines: ['Merchant Account,Type', 'x,Settled'], why: /no column "Psp Reference"/ },
    { batch: 812, lines: [''], why: /empty/ },
    { batch: 813, lines: [header, settled('C1', '1.00'), `"${settled('C2', '2.00')}`], why: /line 3/ },
  ]
  // The database cannot store a zero byte.
  const nul = [settled('C\0', '1.00'), settled('C3', '1.00').replace('Settled', 'Set\0')]
  reports.push({ batch: 814, lines: [header, settled('C1', '1.00'), ...nul], why: /lines 3, 4 cannot/ })
  for (const { batch, lines, why } of reports) {
    const name = `settlement_detail_report_batch_${batch}.csv`
    const { contains, downloads, work, references } = await announced(t, name)
    contains(lines)
    for (const _round of [1, 2]) await work()
    assert.equal(downloads(), 1)
    assert.equal(world.alarmsAbout(name).length, 1)
    assert.match(world.alarmsAbout(name).join(), why)
    assert.equal((await references()).includes('C1'), batch > 812)
  }
})

it('a settlement report that was generated again and breaks off replaces what was read before only if more of it can be read', async (t) => {
  const report = await announced(t, 'settlement_detail_report_batch_831.csv')
  const day = '2831-01-01'
  const line = (reference: string, amount = '1.00') => settled(reference, amount).replace('2026-02-03', day)
  const versions = [
    { lines: [line('M1'), line('M2', 'two'), line('M3')], listed: ['M1 100', 'M3 100'] },
    { lines: [line('M1', '9.00'), '"'], listed: ['M1 100', 'M3 100'], staysAsRead: true },
    { lines: [line('M1', '9.00'), line('M2'), '"'], listed: ['M1 100', 'M3 100'], staysAsRead: true },
    { lines: [line('M1'), line('M2'), line('M3'), '"'], listed: ['M1 100', 'M2 100', 'M3 100'] },
    { lines: [line('M2', '2.00')], listed: ['M2 200'] },
  ]
  for (const { lines, listed, staysAsRead = false } of versions) {
    report.contains([header, ...lines])
    await report.announce()
    for (const _round of [1, 2]) await report.work()
    assert.deepEqual(await report.amounts(day), listed)
    const what = world.alarmsAbout('settlement_detail_report_batch_831.csv').at(-1) ?? ''
    assert.equal(/what was read before stays/.test(what), staysAsRead)
  }
  assert.equal(report.downloads(), versions.length)
})

it('a settlement report is read again by a version that reads more', async (t) => {
  const name = 'settlement_detail_report_batch_821.csv'
  const { contains, downloads, work } = await announced(t, name)
  contains([header, settled('E1', 'one')])
  await work()
  await readByOlder(name)
  for (const _round of [1, 2]) await work()
  assert.equal(downloads(), 2)
})

it('types of lines that nobody has seen are reported once for each report, which is read again by a version that reads more', async (t) => {
  const types = ['Settled', 'Fee', 'MediationSettled', 'ChargebackReversed', 'MediationSettled', 'Mediated']
  const lines = types.map((type) => settled('B1', '1.00').replace('Settled', type))
  for (const batch of [802, 803]) {
    const name = `settlement_detail_report_batch_${batch}.csv`
    const { contains, downloads, work, references } = await announced(t, name)
    contains([header, ...lines])
    for (const _round of [1, 2]) await work()
    const [what = '', ...others] = world.alarmsAbout(name)
    assert.match(what, /not known: MediationSettled, Mediated$/)
    assert.deepEqual(others, [])
    assert.equal(downloads(), 1)
    assert.equal((await references()).filter((one) => one === 'B1').length, batch - 801)
    await readByOlder(name)
    for (const _round of [1, 2]) await work()
    assert.equal(downloads(), 2)
  }
})

/** Changes the record of the report as if an older version of the gateway had read the report. */
async function readByOlder(name: string): Promise<void> {
  const record = await world.store.find({ kind: 'report-read', key: name })
  assert.ok(record)
  await world.store.write([{ put: { ...record, body: { ...record.body, reader: READER - 1 } } }])
}
