// Our clock and the bank's clock differ by hours. So around midnight our files and the bank's files give different
// days.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  openSepaFiles,
  type SepaFiles,
  sepaPayout,
  sepaRequest,
} from '../../../../test/counterparties/sepa-files.ts'

const HOUR_MS = 3_600_000
const midnight = new Date('2026-11-17T00:00:00+01:00').getTime()

for (const [what, ahead] of [
  ["the bank's clock is ten hours ahead", 10],
  ["the bank's clock is ten hours behind", -10],
] as const)
  describe(what, () => {
    let nowMs = midnight - HOUR_MS / 2
    let skewMs = ahead * HOUR_MS
    let given: SepaFiles
    before(async () => {
      const clock = { now: () => new Date(nowMs) }
      given = await openSepaFiles({ clock, theirs: { now: () => new Date(nowMs + skewMs) } })
    })
    after(() => given.close())

    const pass = (hours: number) => {
      nowMs += hours * HOUR_MS
    }
    const kindOf = async ({ reference }: { reference: string }) => (await given.rail.ask(reference)).kind

    test('a transfer to us counts once, though its files name two days', async () => {
      const request = sepaRequest(24_00n)
      const { channelRef } = await given.channel.start(request).then((one) => {
        assert.ok(one.kind === 'pending')
        return one
      })
      const bookings = given.bank.credit([{ cents: 24_00n, text: channelRef }])
      given.bank.notify(bookings)
      assert.equal(await given.work(), '')
      assert.equal((await given.channel.ask(request)).kind, 'received')
      // The statement books the transfer a day later, and arrives twice.
      const otherDay = bookings.map((one) => ({ ...one, at: new Date(one.at.getTime() + 24 * HOUR_MS) }))
      given.bank.state({ bookings: otherDay, copies: 1 })
      pass(1)
      assert.equal(await given.work(), '')
      const outcome = await given.channel.ask(request)
      assert.ok(outcome.kind === 'received')
      assert.deepEqual(
        outcome.deposits.map(({ money }) => money.amount),
        [24_00n],
      )
    })

    test('a paid payment cannot be ended, and money for an ended one is reported with it', async () => {
      const [paid, late] = [sepaRequest(5_00n), sepaRequest(6_00n)]
      const credit = async (request: typeof paid) => {
        const { channelRef } = await given.channel
          .ask(request)
          .then((one) => ('channelRef' in one ? one : assert.fail()))
        given.bank.notify(given.bank.credit([{ cents: request.money.amount, text: channelRef ?? '' }]))
        assert.equal(await given.work(), '')
      }
      for (const request of [paid, late]) await given.channel.start(request)
      await credit(paid)
      assert.equal((await given.channel.cancel(paid)).kind, 'received')
      assert.equal((await given.channel.cancel(late)).kind, 'failed')
      await credit(late)
      const ended = await given.channel.ask(late)
      assert.ok(ended.kind === 'failed' && ended.deposits?.length === 1)
    })

    test('payouts are in one file each and paid once, though our clock is set back and forth between them', async () => {
      const payouts = []
      const days = new Set<string>()
      for (const hours of [0, -3, 8, -8, 24]) {
        pass(hours)
        const payout = sepaPayout(7_00n)
        payouts.push(payout)
        assert.equal((await given.rail.send(payout)).kind, 'processing')
        await given.work()
        const out = join(given.folder, 'out')
        for (const name of readdirSync(out)) {
          const [, day = ''] = /<ReqdExctnDt><Dt>(.*?)</.exec(readFileSync(join(out, name), 'utf8')) ?? []
          days.add(day)
        }
        assert.equal(await given.exchange(), '')
      }
      assert.ok(days.size > 1, [...days].join())
      given.bank.state({ copies: 1 })
      assert.equal(await given.work(), '')
      for (const payout of payouts) {
        assert.equal(await kindOf(payout), 'succeeded')
        assert.equal((await given.rail.send(payout)).kind, 'succeeded')
        assert.equal(given.bank.countPaid(payout.reference), 1)
      }
      await given.exchange()
      assert.equal(given.bank.countDuplicates(), 0)
    })

    test('a report and a return count, though they seem to come before what they are about', async () => {
      const [payout, refused] = [sepaPayout(8_00n), sepaPayout(6_66n)]
      for (const one of [payout, refused]) await given.rail.send(one)
      const usual = skewMs
      await given.work()
      skewMs = -48 * HOUR_MS
      assert.equal(await given.exchange(), '')
      assert.deepEqual(
        { payout: await kindOf(payout), refused: await kindOf(refused) },
        { payout: 'succeeded', refused: 'failed' },
      )
      given.bank.giveBack(payout.reference)
      assert.equal(await given.work(), '')
      skewMs = usual
      assert.equal(await kindOf(payout), 'returned')
      assert.equal(given.bank.countPaid(payout.reference), 1)
    })
  })
