// If something is wrong, the step reports the problem. The step must not pass, and must not end the walk with an error.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAttempt, aPayment, aSuccess, noRates } from '../../../test/builders/builders.ts'
import { paidOrder } from '../../../test/builders/paid-orders.ts'
import { accept, anApplication, failed, succeeded } from '../../../test/builders/refunds.ts'
import { cloneDatabase, useDatabase } from '../../../test/harness/harness.ts'
import { removeRoute, setRoute } from '../../money/merchants/change-merchant.ts'
import { createMerchant } from '../../money/merchants/create-merchant.ts'
import { readOptions } from '../../money/merchants/options.ts'
import type { NewPayment } from '../../money/orders/new-order.ts'
import { acceptPayments } from '../../money/payments/accept-payments.ts'
import { recordOutcomes } from '../../money/payments/record-outcomes.ts'
import { recordRefunds } from '../../money/refunds/record-refunds.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { openVault } from '../../platform/base/secret.ts'
import { readConfig } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import type { Outcome } from '../../rails/contract/channel.ts'
import { pauseChannel, resumeChannel } from '../../rails/routing/pauses.ts'
import { channel } from './business-steps.ts'
import { payment, refund } from './payment-steps.ts'
import type { Step, StepDeps } from './step.ts'
import { walk } from './walk.ts'

const database = useDatabase()

const entry = { name: 'acquirer-1', protocol: 'bridge', methods: ['card' as const], payoutKinds: [] }
const unasked = () => Promise.reject(new Error('this step does not ask for it'))
const wrong = (message: string) => () => {
  throw new SettingError(message)
}

function deps(changes: Partial<StepDeps>): StepDeps {
  return {
    config: () => readConfig({}),
    database: async () => database.db,
    clock: systemClock,
    examine: unasked,
    merchant: unasked,
    entries: async () => [entry],
    check: async () => ({ isRight: true, message: 'it answered' }),
    ...changes,
  }
}

async function find(step: Step, changes: Partial<StepDeps> = {}): Promise<string> {
  const { isDone, found, todo = '' } = await step.check(deps(changes))
  return `${isDone ? 'done' : 'missing'}: ${found}; ${todo}`
}

test('a wrong setting or a sandbox is the first step, and no database is opened', async () => {
  const closed = { database: unasked, entries: unasked }
  const config = wrong('TOLLGATE_MASTER_KEY is required')
  const [first, ...others] = await walk(deps({ ...closed, config }))
  assert.deepEqual(
    { name: first?.name, found: first?.found, others },
    { name: 'settings', found: 'TOLLGATE_MASTER_KEY is required', others: [] },
  )
  const [sandbox] = await walk(deps(closed))
  assert.equal(sandbox?.found, 'this is a sandbox')
})

test('what a step cannot find out is what it says, and the walk ends there', async () => {
  const config = () => ({ ...readConfig({}), mode: 'live' as const })
  const examine = () => Promise.reject(new TypeError('Invalid URL'))
  const walked = await walk(deps({ config, examine }))
  assert.deepEqual(
    walked.map(({ name, isDone, found }) => [name, isDone, found]),
    [['settings', false, 'it could not be checked: Invalid URL']],
  )
})

test('a wrong channels file, a wrong entry and a paused channel are found', async () => {
  const entries = async () => wrong('the file is not JSON')()
  assert.match(await find(channel, { entries }), /^missing: the file is not JSON; .*TOLLGATE_CHANNELS/)
  const check = async () => wrong('channel acquirer-1: "secret" is missing')()
  assert.match(await find(channel, { check }), /^missing: acquirer-1: "secret" is missing; .*own-bridge/)
  const pausing = { channel: 'acquirer-1', by: 'test', reason: 'to hear the alarm', at: new Date() }
  await pauseChannel(database.db, pausing)
  assert.match(await find(channel), /^missing: acquirer-1 is paused; run "channel resume acquirer-1"/)
  await resumeChannel(database.db, 'acquirer-1')
  assert.match(await find(channel), /^done/)
  const wanted = {
    options: readOptions({ name: 'Shop', sites: ['routed.example'] }),
    now: new Date(),
    pending: false,
  }
  const vault = openVault(Buffer.alloc(32))
  const { merNo } = await database.db.transaction((tx) => createMerchant(tx, vault, wanted))
  await setRoute(database.db, merNo, 'card', { channel: 'gone', priority: 1, weight: 1 })
  assert.match(
    await find(channel),
    /^missing: merchant \d+ has a route for card to gone, but there is no chan/,
  )
  await removeRoute(database.db, merNo, 'card', 'gone')
})

async function tried(outcome: Outcome | undefined): Promise<NewPayment> {
  const one = aPayment()
  const [accepted] = await acceptPayments(database.db, [one])
  assert.equal(accepted?.kind, 'accepted')
  const { db } = database
  if (outcome !== undefined) await recordOutcomes({ db, rates: noRates }, [{ ...aSuccess(one), outcome }])
  return one
}

test('a payment that failed may be tried again, one without an answer must not be paid twice', async () => {
  assert.match(await find(payment), /^missing: nothing was paid/)
  await tried({ kind: 'failed', cause: 'declined', message: 'The bank refused' })
  assert.match(await find(payment), /^missing: T\w+ failed at .*: The bank refused; run "golive link/)
  const { tradeNo } = await tried({ kind: 'unknown', why: 'no response in time' })
  await tried({ kind: 'failed', cause: 'declined', message: 'The bank refused' })
  const said = await find(payment)
  assert.match(said, new RegExp(`^missing: .* has not said what became of ${tradeNo}; .*do not pay a second`))
  assert.doesNotMatch(said, /golive link/)
})

test('a refund that failed, that waits, or that a channel cannot make is reported as what it is', async () => {
  const { db } = database
  const paid = await paidOrder(db)
  assert.match(await find(payment), new RegExp(`^done: ${paid.tradeNo} was paid`))
  const login = `"user create --email E --role owner --merno ${paid.merNo}" makes a login`
  const open = `open ${paid.tradeNo} in the back office, as its merchant, and refund it`
  assert.ok((await find(refund)).startsWith(`missing: no payment was refunded; ${open} (${login})`))
  const [first, second] = [await accept(db, anApplication(paid)), anApplication(paid)]
  assert.match(await find(refund), /^missing: .* has not decided R\w+ yet; wait/)
  await recordRefunds(db, [failed(first)])
  assert.match(await find(refund), /^missing: R\w+ failed at .*: The bank refused; remove the cause/)
  const cannot = await find(refund, {
    entries: async () => [{ ...entry, name: paid.attempt?.channel ?? '', refunds: false }],
  })
  assert.match(cannot, /^done: what was paid cannot be refunded/)
  await recordRefunds(db, [succeeded(await accept(db, second))])
  assert.match(await find(refund), new RegExp(`^done: ${paid.tradeNo} was refunded`))
})

test('the refund is that of the payment before, and one that failed is not hidden by a newer payment', async (t) => {
  const own = await cloneDatabase()
  t.after(() => own.drop())
  const { db } = own
  const [first, later] = [new Date(Date.now() - 3_600_000), new Date()]
  const paidAt = (channel: string, at: Date) => paidOrder(db, { at, attempt: anAttempt(at, { channel }) })
  const at = { database: async () => db }
  const older = await paidAt('b-rail', first)
  await recordRefunds(db, [failed(await accept(db, anApplication(older)))])
  await paidAt('b-rail', later)
  assert.match(await find(refund, at), /^missing: R\w+ failed at b-rail: The bank refused; remove the cause/)

  const refunded = await paidAt('c-rail', first)
  await recordRefunds(db, [succeeded(await accept(db, anApplication(refunded)))])
  assert.match(await find(payment, at), new RegExp(`^done: ${refunded.tradeNo} was paid through c-rail`))
  assert.match(await find(refund, at), new RegExp(`^done: ${refunded.tradeNo} was refunded through c-rail;`))
  const again = await paidAt('c-rail', later)
  const refused = await accept(db, anApplication(again, { at: new Date(Date.now() + 1_000) }))
  await recordRefunds(db, [failed(refused)])
  const said = new RegExp(
    `refunded through c-rail, but later ${refused.refundNo} failed at .*: The bank refused`,
  )
  assert.match(await find(refund, at), said)
})
