// Tests the checks where the protocol leaves bridges a choice: which behaviour passes, and which fails. A proxy changes
// one answer of the starter bridge.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openFaultyBridge } from '../../../test/counterparties/faulty-bridge.ts'
import { type Fault, type FaultyProxy, respond } from '../../../test/counterparties/faulty-proxy.ts'
import { BRIDGE_SECRET } from '../../../test/counterparties/starter-bridge.ts'
import type { BridgeToCheck } from './check.ts'
import { allChecks } from './checks/all.ts'
import { type CheckResult, runChecks } from './run-checks.ts'

let proxy: FaultyProxy
before(async () => {
  proxy = await openFaultyBridge()
})
after(() => proxy.close())

async function check(name: string, url = proxy.url): Promise<CheckResult | undefined> {
  const checked: BridgeToCheck = {
    ...{ url, secret: BRIDGE_SECRET, method: undefined, payoutKind: 'spei' as const, isPayoutNamed: true },
    ...{ account: '032180000118359719', cardNumber: '', walletToken: undefined, currency: 'MXN' },
  }
  const [result] = await runChecks(checked, { checks: allChecks.filter((one) => one.name === name) })
  return result
}

/** Applies the fault to requests for the operation if `fits` is true for the body. */
function meet(operation: string, fits: (body: Record<string, string>) => boolean, fault: Fault): void {
  proxy.meet(
    async (forward, request) => (fits(JSON.parse(request.body)) ? fault(forward, request) : forward()),
    (path) => path === `/v1/${operation}`,
  )
}

const DAY_MS = 86_400_000
const isYesterday = ({ day }: Record<string, string>) =>
  day === new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)

test('a bridge that has today needs no statement of the day before', async () => {
  const answers = [400, 404, 409, 410, 500].map((status) => respond(status, '{"error":"unknown_day"}'))
  for (const fault of answers) {
    meet('statement', isYesterday, fault)
    assert.equal((await check('statement'))?.result, 'passed')
  }
})

test('a statement of the day before that cannot be read is found, whatever today has', async () => {
  meet('statement', isYesterday, respond(200, '{"lines":"none"}'))
  assert.match((await check('statement'))?.why ?? '', /cannot read the statement/)
})

test('without today, the statement of the day before must be there', async () => {
  const day = (answers: (isToday: boolean) => Fault) =>
    proxy.meet(
      async (forward, request) => {
        const isToday = JSON.parse(request.body).day === new Date().toISOString().slice(0, 10)
        const isMeant = isToday || isYesterday(JSON.parse(request.body))
        return isMeant ? answers(isToday)(forward, request) : forward()
      },
      (path) => path === '/v1/statement',
    )
  const open = respond(409, '{"error":"day_is_open"}')
  day((isToday) => (isToday ? open : respond(404, '{"error":"unknown_day"}')))
  assert.equal((await check('statement'))?.result, 'failed')
  day(() => open)
  assert.match((await check('statement'))?.why ?? '', /closed neither today nor yesterday/)
})

test('disputes since a moment that is to come may be refused with 400 only', async () => {
  const isLater = ({ since }: Record<string, string>) => Number(since) > Date.now()
  const refuse = (status: number) => respond(status, '{"error":"invalid_request"}')
  meet('chargebacks', isLater, refuse(400))
  assert.equal((await check('disputes'))?.result, 'passed')
  meet('chargebacks', isLater, refuse(500))
  assert.equal((await check('disputes'))?.result, 'failed')
  meet('chargebacks', (body) => !isLater(body), refuse(400))
  assert.equal((await check('disputes'))?.result, 'failed')
})

test('a bridge that cannot call back here gets no payout to report', async () => {
  let sent = 0
  meet(
    'send',
    () => true,
    (forward) => {
      sent += 1
      return forward()
    },
  )
  // This address leads to this machine, but the command does not recognise that.
  const far = new URL(proxy.url)
  far.hostname = '[::ffff:127.0.0.1]'
  const result = await check('payout-callback', far.href.replace(/\/$/, ''))
  assert.deepEqual({ result: result?.result, sent }, { result: 'skipped', sent: 0 })
  assert.match(result?.why ?? '', /only if the bridge runs on this machine/)
  assert.deepEqual({ result: (await check('payout-callback'))?.result, sent }, { result: 'passed', sent: 1 })
})
