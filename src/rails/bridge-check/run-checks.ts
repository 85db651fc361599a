// Runs the conformance suite against a bridge. The checks run one after the other and use their own references, so a bridge
// with a test account is left with some payments that nobody paid.
import { randomBytes } from 'node:crypto'
import { isObject } from '../base/object.ts'
import type { Method } from '../channels/method.ts'
import type { AccountKind } from '../channels/payout/contract.ts'
import type { Reply } from '../channels/transport.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { openInbox } from './callback-inbox.ts'
import { Broken, type Check, NotChecked, type TestedBridge } from './check.ts'
import { allChecks } from './checks/all.ts'
import { openCaller } from './open-caller.ts'
import { startPayment } from './start-payment.ts'

export type BridgeToCheck = {
  readonly url: string
  readonly secret: string
  /** Unset: whatever the bridge offers. */
  readonly method: Method | undefined
  readonly payoutKind: AccountKind
  readonly isPayoutNamed: boolean
  readonly account: string
  readonly cardNumber: string
  readonly walletToken: string | undefined
  readonly currency: string
}

export type CheckResult = {
  readonly name: string
  readonly title: string
  readonly result: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped. */
  readonly why?: string
  readonly todo?: string
}

const AMOUNT = 1_250n

export type CheckRun = {
  /** Called after each check. */
  readonly done?: (result: CheckResult) => void
  /** Unset: all. */
  readonly checks?: readonly Check[]
}

export async function runChecks(
  bridge: BridgeToCheck,
  { done, checks = allChecks }: CheckRun = {},
): Promise<CheckResult[]> {
  const isNear = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(bridge.url).hostname)
  const inbox = await openInbox(bridge.secret, isNear)
  const caller = openCaller(bridge)
  try {
    const offered = offeredBy(await caller.tryCall('ping', {}))
    const money = { amount: AMOUNT, currency: bridge.currency }
    const reference = () => `CHK${randomBytes(12).toString('hex').toUpperCase()}`
    const tested: TestedBridge = {
      ...bridge,
      call: caller.call,
      callWith: caller.callWith,
      reference,
      start: (method, terminal) => startPayment({ ...bridge, money, reference, inbox }, method, terminal),
      offers: (operation) => offered?.includes(operation) ?? true,
      money,
      inbox,
      finals: [],
    }
    const results: CheckResult[] = []
    for (const check of checks) {
      const result = await runCheck(check, tested)
      results.push(result)
      done?.(result)
    }
    return results
  } finally {
    await inbox.close()
  }
}

/** Undefined: the bridge does not say. */
function offeredBy(reply: Reply): unknown[] | undefined {
  // Each check would wait in vain.
  if (reply.kind !== 'answer')
    throw new OperatorRefusal(`the bridge did not answer a ping: ${reply.why}. Check --url`)
  // Each check would fail, and advise something else.
  if (reply.status === 401)
    throw new OperatorRefusal(
      "the bridge answered a ping with 401: it does not accept our signature. Compare --secret with the bridge's own, and the clocks of both machines; if they are the same, compare what it signs with docs/bridge-protocol.md, Signature",
    )
  const operations = isObject(reply.body) ? reply.body.operations : undefined
  return Array.isArray(operations) ? operations : undefined
}

async function runCheck(check: Check, bridge: TestedBridge): Promise<CheckResult> {
  const { name, title, todo, needs } = check
  const missing = needs.find((operation) => !bridge.offers(operation))
  if (missing !== undefined)
    return { name, title, result: 'skipped', why: `The bridge does not offer "${missing}".` }
  try {
    await check.run(bridge)
    return { name, title, result: 'passed' }
  } catch (error) {
    if (error instanceof NotChecked) return { name, title, result: 'skipped', why: error.message }
    if (error instanceof Broken)
      return { name, title, result: 'failed', why: error.message, todo: error.todo ?? todo }
    throw error
  }
}
