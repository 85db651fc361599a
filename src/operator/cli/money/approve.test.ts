// Approvals of refunds and payouts by command repeat the checks of channels and rails, as the back office does.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { paidOrder } from '../../../../test/builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../../../test/builders/payouts.ts'
import { accept, anApplication } from '../../../../test/builders/refunds.ts'
import { runTollgate } from '../../../../test/harness/operator.ts'
import { makePayout } from '../../../money/payouts/make-payout.ts'
import { preparePayout } from '../../../money/payouts/prepare-payout.ts'
import { openVault } from '../../../platform/base/secret.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { pauseChannel, resumeChannel } from '../../../rails/routing/pauses.ts'

const MASTER_KEY = '1'.repeat(64)
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-approve-'))
const channelsFile = join(dataDir, 'channels.json')
let setup: TestPayouts
let merNo: number
before(async () => {
  setup = await openPayouts()
  const create = ['merchant', 'create', '--name', 'Shop', '--site', 'shop.example', '--fee-bps', '0']
  merNo = (await run([other], ...create)).merNo
  assert.ok(Number.isSafeInteger(merNo))
})
after(async () => {
  await setup.close()
  rmSync(dataDir, { recursive: true })
})

const bridge = { protocol: 'bridge', url: 'https://127.0.0.1:1', secret: 's'.repeat(32) }
const other = { ...bridge, name: 'other', methods: ['unionpay'] }

/** Runs a command with these entries of the channels file, and returns its document. */
async function run(entries: readonly object[], ...args: readonly string[]) {
  writeFileSync(channelsFile, JSON.stringify(entries), { mode: 0o600 })
  const { stdout } = await runTollgate([...args, '--json'], {
    DATABASE_URL: setup.url,
    TOLLGATE_MODE: 'live',
    TOLLGATE_MASTER_KEY: MASTER_KEY,
    TOLLGATE_TRUSTED_PROXIES: 'none',
    TOLLGATE_BASE_URL: 'http://localhost:1',
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_CHANNELS: channelsFile,
  })
  return JSON.parse(stdout)
}

test('a refund is approved only if the channels file has its channel, and the channel refunds', async () => {
  const payment = await paidOrder(setup.db, { merNo, method: 'card' })
  const { refundNo } = await accept(setup.db, anApplication(payment, { terms: { approveRefunds: true } }))
  const approve = (...entries: readonly object[]) => run(entries, 'refund', 'approve', refundNo)
  const refused = { error: `refund ${refundNo} cannot be approved: ${new Refusal('10103').message}` }
  assert.deepEqual(await approve(other), refused)
  assert.deepEqual(await approve({ ...bridge, name: 'card', methods: ['unionpay'] }), refused)
  assert.deepEqual(await approve(other, { ...bridge, name: 'card', methods: ['card'] }), {
    refundNo,
    approved: true,
  })
})

test('a payout is approved only if a rail of the channels file can send it now', async () => {
  const merchant = aPayer({ merNo, payoutApproval: 0n })
  await setup.give(merNo, 5_000n)
  const deps = { ...setup.deps, vault: openVault(Buffer.from(MASTER_KEY, 'hex')) }
  const prepared = await preparePayout(deps, merchant, aPayout())
  await deps.gate.countOf(merNo, () => makePayout(deps, prepared))
  const { tradeNo } = prepared.payout
  const approve = (...entries: readonly object[]) => run(entries, 'payout', 'approve', tradeNo)
  const refused = { error: `payout ${tradeNo} cannot be approved: ${new Refusal('10011').message}` }
  assert.deepEqual(await approve(other), refused)
  const payer = { ...bridge, name: 'payer', methods: ['payout_bank'] }
  assert.deepEqual(await approve({ ...payer, currencies: ['EUR'] }), refused)
  await pauseChannel(setup.db, { channel: 'payer', by: 'ann', reason: 'test', at: new Date() })
  assert.deepEqual(await approve(payer), refused)
  await resumeChannel(setup.db, 'payer')
  assert.deepEqual(await approve(other, payer), { tradeNo, state: 'sending' })
})
