import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts'
import { giveSandboxKeys } from '../../../test/builders/rsa-keys.ts'
import { change, openFaultyProxy, respond } from '../../../test/counterparties/faulty-proxy.ts'
import {
  BRIDGE_SECRET,
  type StarterBridge,
  startStarterBridge,
} from '../../../test/counterparties/starter-bridge.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { runTollgate } from '../../../test/harness/operator.ts'
import { isObject } from '../../platform/base/object.ts'
import type { BridgeToCheck } from './check.ts'
import { allChecks } from './checks/all.ts'
import { openCaller } from './open-caller.ts'
import { type CheckResult, runChecks } from './run-checks.ts'

const usual = {
  secret: BRIDGE_SECRET,
  method: undefined,
  payoutKind: 'spei',
  isPayoutNamed: false,
  account: '032180000118359719',
  cardNumber: '4242424242424242',
  walletToken: undefined,
  currency: 'MXN',
} as const

const namesOf = (results: readonly CheckResult[], wanted: CheckResult['result']) =>
  results.filter(({ result }) => result === wanted).map(({ name }) => name)

function assertNoneFailed(results: readonly CheckResult[]): void {
  const failed = results.filter(({ result }) => result === 'failed')
  assert.deepEqual(failed, [])
}

describe('the starter bridge', () => {
  let bridge: StarterBridge
  before(async () => {
    bridge = await startStarterBridge()
  })
  after(() => bridge.close())

  it('passes every check but that of payouts to cards, which it does not send', async () => {
    const results = await runChecks({ ...usual, url: bridge.url, method: 'cash_app' })
    assertNoneFailed(results)
    assert.deepEqual(namesOf(results, 'skipped'), ['payout-tokens'])
  })

  it('passes with the methods that have a code, an app, or a token', async () => {
    const named = allChecks.filter(({ name }) => /^(ping|open-details|card-.*)$/.test(name))
    const methods: readonly Partial<BridgeToCheck>[] = [
      { method: 'pix', currency: 'BRL' },
      { method: 'alipay', currency: 'CNY' },
      { method: 'wechat', currency: 'CNY' },
    ]
    const check = (changes: Partial<BridgeToCheck>) =>
      runChecks({ ...usual, ...changes, url: bridge.url }, { checks: named })
    for (const changes of methods) {
      const results = await check(changes)
      assertNoneFailed(results)
      assert.ok(namesOf(results, 'passed').includes('open-details'), JSON.stringify(changes))
    }
    const token = await check({ method: 'apple_pay', walletToken: '{"data":"1"}' })
    assert.deepEqual(namesOf(token, 'skipped'), ['open-details'])
    assertNoneFailed(token)
    const without = await check({ method: 'google_pay' })
    assert.deepEqual(namesOf(without, 'passed'), ['ping'])
  })

  it('still has what it answered when it is killed and started again', async () => {
    const { call } = openCaller({ url: bridge.url, secret: BRIDGE_SECRET })
    const money = { amount: '1250', currency: 'MXN' }
    const urls = { returnUrl: 'http://127.0.0.1:1/', callbackUrl: 'http://127.0.0.1:1/' }
    const sent = await call('send', {
      reference: 'P1',
      kind: 'spei',
      ...money,
      account: '1',
      beneficiary: {},
    })
    await call('open', { reference: 'A1', ...money, payee: 'Shop', ...urls })
    await call('simulate', { reference: 'A1', event: 'pay' })
    await call('cancel', { reference: 'A2' })
    const states = () => Promise.all(['A1', 'A2'].map((reference) => call('lookup', { reference })))
    const before = await states()
    await bridge.restart()
    assert.deepEqual(await states(), before)
    const isPaid = async () => {
      const { body } = await call('lookup', { reference: 'P1' })
      return isObject(body) && isObject(sent.body) && body.id === sent.body.id && body.status === 'succeeded'
    }
    assert.ok(await eventually(isPaid))
  })

  it('may answer 409 for a day that its rail has not closed', async () => {
    const proxy = await openFaultyProxy(bridge.url)
    const checks = allChecks.filter(({ name }) => name === 'statement')
    const today = new Date().toISOString().slice(0, 10)
    proxy.meet(
      async (forward, { body }) =>
        body.includes(today) ? { status: 409, headers: {}, body: '{"error":"day_is_open"}' } : forward(),
      (path) => path === '/v1/statement',
    )
    const [result] = await runChecks({ ...usual, url: proxy.url }, { checks })
    assert.equal(result?.result, 'passed', JSON.stringify(result))
    await proxy.close()
  })

  it('is not checked at all if nobody answers there', async () => {
    const args = ['bridge', 'check', '--url', 'http://127.0.0.1:1', '--secret', BRIDGE_SECRET]
    const { status, stdout, stderr } = await runTollgate(args, {})
    assert.notEqual(status, 0)
    assert.match(stdout + stderr, /did not answer a ping.*Check --url/)
  })

  it('is not checked at all if it does not accept the secret: one sentence says what to do', async () => {
    const args = ['bridge', 'check', '--url', bridge.url, '--secret', 'not the secret of this bridge']
    const { status, stdout, stderr } = await runTollgate(args, {})
    assert.equal(status, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^[^\n]*answered a ping with 401[^\n]*Compare --secret[^\n]*clocks[^\n]*\n$/)
    assert.doesNotMatch(stderr, /not the secret of this bridge/)
  })

  it('gets no payouts if it may have a real rail, unless the operator names their kind', async () => {
    const proxy = await openFaultyProxy(bridge.url)
    proxy.meet(
      respond(200, JSON.stringify({ operations: ['open', 'lookup', 'send'] })),
      (path) => path === '/v1/ping',
    )
    const checks = allChecks.filter(({ name }) => name === 'payout')
    const [asked, named] = await Promise.all(
      [false, true].map((isPayoutNamed) =>
        runChecks({ ...usual, url: proxy.url, isPayoutNamed }, { checks }),
      ),
    )
    assert.deepEqual(
      { asked: asked?.[0]?.result, named: named?.[0]?.result },
      { asked: 'skipped', named: 'passed' },
    )
    await proxy.close()
  })

  it('is found wanting by the command when it breaks a promise, with what to do', async () => {
    const proxy = await openFaultyProxy(bridge.url)
    // The proxy makes the bridge look as if it forgot every payment.
    proxy.meet(
      change((answer) => ({ ...answer, status: 404, body: '{"error":"not_found"}' })),
      (path) => path === '/v1/lookup',
    )
    const args = ['bridge', 'check', '--url', proxy.url, '--secret', BRIDGE_SECRET, '--currency', 'MXN']
    const text = await runTollgate(args, {})
    assert.equal(text.status, 1)
    assert.match(text.stdout, /^ok {7}signature: /m)
    assert.match(
      text.stdout,
      /^FAILED {3}paid: .*\n {9}A payment was answered 404 .*\n {9}Set "status" to "paid"/m,
    )
    assert.match(text.stdout, /\d+ passed, \d+ failed, \d+ skipped\.\n$/)
    await proxy.close()
  })

  it('passes by the command, which prints the results', async () => {
    const args = [
      'bridge',
      'check',
      '--url',
      bridge.url,
      '--secret',
      BRIDGE_SECRET,
      '--method',
      'payout_spei',
    ]
    const { status, stdout } = await runTollgate([...args, '--json'], {})
    const report: { passed: number; failed: number; checks: CheckResult[] } = JSON.parse(stdout)
    assert.deepEqual({ status, failed: report.failed }, { status: 0, failed: 0 })
    assert.equal(report.checks.length, allChecks.length)
    const wrong = await runTollgate([...args, '--secret', 'another secret than that', '--json'], {})
    assert.equal(wrong.status, 1)
  })
})

describe("the sandbox's counterparties", () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-conformance-'))
  let sandbox: Sandbox
  before(async () => {
    giveSandboxKeys(dataDir)
    sandbox = await startSandbox({
      host: '127.0.0.1',
      dataDir,
      minuteMs: 60_000,
      secret: BRIDGE_SECRET,
    })
  })
  after(async () => {
    await sandbox.close()
    rmSync(dataDir, { recursive: true })
  })

  const counterparties: readonly (readonly [path: string, changes: Partial<BridgeToCheck>, kept: number])[] =
    [
      ['/banks/spei', { method: 'spei' }, 27],
      ['/banks/unionpay', { method: 'unionpay', currency: 'CNY' }, 27],
      ['', { currency: 'USD' }, 11],
      ['', { currency: 'USD', method: 'apple_pay', walletToken: '{"testCard":"4242424242424242"}' }, 11],
      ['/payout-bank', {}, 14],
    ]
  for (const [path, changes, kept] of counterparties)
    it(`pass the checks of what they offer: ${path || 'cards'} ${changes.method ?? ''}`, async () => {
      const results = await runChecks({ ...usual, ...changes, url: sandbox.url + path })
      assertNoneFailed(results)
      assert.equal(namesOf(results, 'passed').length, kept)
    })
})
