import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { openStore } from '../../toolkit/records/store.ts'
import { signatureHeader, signRequest, timestampHeader } from '../../toolkit/signature.ts'

const database = useDatabase()

const now = new Date('2026-11-16T12:00:00Z')
const clock = { now: () => now }
const secret = 'a secret for tests'
const path = '/callbacks/rail'

/**
 * Sends a callback to a bridge with these methods. Returns the result, and the payments that the callback schedules for
 * a query.
 */
async function received(
  methods: readonly string[],
  content: object,
  { signedBy = secret, settings = {} }: { signedBy?: string; settings?: object } = {},
) {
  const storeOf = (channel: string) => openStore({ db: database.db, clock }, channel)
  const entry = { name: 'rail', protocol: 'bridge', methods, url: 'http://127.0.0.1:1', secret, ...settings }
  const [channel] = connectEntry(entry, toolsWith({ clock, storeOf })).channels
  const body = JSON.stringify(content)
  const timestamp = String(now.getTime() / 1000)
  const signature = signRequest(signedBy, { method: 'POST', path, timestamp, body })
  const headers = { [timestampHeader]: timestamp, [signatureHeader]: signature }
  const result = await channel?.readCallback?.({ method: 'POST', path, query: '', headers, body })
  const rows = await database.db.query<{ reference: string }>({
    text: 'delete from channel_asks returning reference',
  })
  const reports = result?.kind === 'accepted' ? result.reports.map(({ outcome }) => outcome.kind) : undefined
  return { status: result?.answer.status, reports, asked: rows.map(({ reference }) => reference) }
}

const deposit = { id: 'd1', amount: '1500', currency: 'MXN', at: now.toISOString() }
const transfer = {
  reference: 'A1',
  id: 'c1',
  status: 'paid',
  amount: '1000',
  currency: 'MXN',
  deposits: [deposit],
}

test('a callback of a bridge with several methods only makes us ask, by the method of the payment', async () => {
  const several = ['cash_app', 'spei']
  assert.deepEqual(await received(several, transfer), { status: 200, reports: [], asked: ['A1'] })
  const card = { merchantReference: 'A2', id: 'c2', status: 'captured' }
  assert.deepEqual(await received(['spei', 'card'], card), { status: 200, reports: [], asked: ['A2'] })
  for (const rubbish of [{}, { reference: 1 }, { reference: '../x' }])
    assert.deepEqual(await received(several, rubbish), { status: 422, reports: undefined, asked: [] })
  const forged = await received(several, transfer, { signedBy: 'another secret' })
  assert.deepEqual(forged, { status: 401, reports: undefined, asked: [] })
})

test('the payment sheet of a bridge with several methods signs with its own secret', async () => {
  const settings = { walletUrl: 'http://127.0.0.1:1', walletSecret: 'the secret of the sheet' }
  const shown = { reference: 'A3', id: 's1', status: 'paid' }
  const signedBy = settings.walletSecret
  const asked = { status: 200, reports: [], asked: ['A3'] }
  assert.deepEqual(await received(['cash_app', 'gcash'], shown, { signedBy, settings }), asked)
  assert.deepEqual(await received(['cash_app', 'gcash'], shown, { settings }), asked)
  const forged = await received(['cash_app', 'gcash'], shown, { signedBy: 'another secret', settings })
  assert.deepEqual(forged, { status: 401, reports: undefined, asked: [] })
})

test('the payment sheet cannot report refunds, payouts and disputes', async () => {
  const settings = { walletUrl: 'http://127.0.0.1:1', walletSecret: 'the secret of the sheet' }
  const signedBy = settings.walletSecret
  const payout = { type: 'payout', reference: 'P1', id: 'p1', status: 'failed', message: 'No such account' }
  const several = ['cash_app', 'gcash']
  assert.equal((await received(several, payout, { settings })).status, 200, 'the bridge may report it')
  for (const type of ['payout', 'refund', 'dispute'])
    assert.deepEqual(
      await received(several, { ...payout, type }, { signedBy, settings }),
      { status: 422, reports: undefined, asked: [] },
      type,
    )
})

test('with a single method the callback itself is the report', async () => {
  assert.deepEqual(await received(['cash_app'], transfer), { status: 200, reports: ['succeeded'], asked: [] })
})

test('a bridge does not pay in coin', () => {
  const entry = { name: 'rail', methods: ['payout_coin'], url: 'http://127.0.0.1:1', secret }
  assert.throws(() => connectEntry(entry), /payout_coin needs the protocol evm/)
})
