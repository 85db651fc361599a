// Runs the conformance suite, one check after the other. All checks use new references. If the bridge uses a rail's
// test account, some payments of the checks stay unpaid there.
import { randomBytes } from 'node:crypto'
import { systemClock } from '../../platform/base/clock.ts'
import { isObject } from '../../platform/base/object.ts'
import { assert, OperatorRefusal, SettingError } from '../../platform/errors/catalogue.ts'
import type { Channel, StartRequest } from '../contract/channel.ts'
import type { Method } from '../methods/methods.ts'
import type { Terminal } from '../methods/terminal.ts'
import { bridge } from '../protocols/bridge/bridge.ts'
import type { Reply } from '../toolkit/transport.ts'
import { openInbox } from './callback-inbox.ts'
import { type BridgeToCheck, Broken, type Check, NotChecked, type TestedBridge } from './check.ts'
import { allChecks } from './checks/all.ts'
import { openCaller } from './open-caller.ts'

export type CheckResult = {
  readonly name: string
  readonly title: string
  readonly result: 'passed' | 'failed' | 'skipped'
  /** The reason why the check failed or was skipped. */
  readonly why?: string
  readonly todo?: string
}

const AMOUNT = 1_250n

type CheckRun = {
  readonly done?: (result: CheckResult) => void
  /** The checks to run. Default: all. */
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
    const tested: TestedBridge = {
      ...bridge,
      call: caller.call,
      callWith: caller.callWith,
      reference: () => `CHK${randomBytes(12).toString('hex').toUpperCase()}`,
      start: async (method, terminal) => channelOf(method, bridge).start(paymentAt(tested, terminal)),
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

/** Returns the operations in the answer to a ping. Undefined if the answer has no list. */
function offeredBy(reply: Reply): unknown[] | undefined {
  // The run stops here, because each check would end in a time-out.
  if (reply.kind !== 'answer')
    throw new OperatorRefusal(`the bridge did not answer a ping: ${reply.why}. Check --url`)
  // The run stops here, because each check would fail and give misleading advice.
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

const TIMEOUT_MS = 20_000
const HALF_AN_HOUR_MS = 1_800_000

/** The payer's data, which some methods need. */
const details = {
  userId: 'payer-1',
  ipAddress: '192.0.2.1',
  vaBankId: '970436',
  paymentMethodStr: 'qrcode',
  customerIdentificationType: '00',
}
const personal = { customerIdentification: '41552384' }

function paymentAt({ reference, money, inbox }: TestedBridge, terminal: Terminal): StartRequest {
  return {
    reference: reference(),
    money,
    merNo: 10_001,
    personal,
    details,
    terminal,
    merchantName: 'Conformance check',
    expiresAt: new Date(Date.now() + HALF_AN_HOUR_MS),
    completeUrl: inbox.url,
    callbackUrl: inbox.url,
  }
}

/**
 * Makes the gateway's channel for the method, which shows whether the gateway understands the bridge's answer. Skips
 * the check if the channel needs more settings than address and secret.
 */
function channelOf(method: Method, { url, secret }: BridgeToCheck): Channel {
  const settings = { name: 'check', protocol: 'bridge', methods: [method], payoutKinds: [], url, secret }
  const tools = {
    clock: systemClock,
    timeoutMs: TIMEOUT_MS,
    useToken: async () => true,
    isPaid: async () => false,
    reference: { find: (_list: string, code: string) => ({ code, name: 'A bank', bic: '' }) },
    rateOf: () => undefined,
    log: { warn() {} },
    alarm() {},
    storeOf() {
      throw new Error('a bridge remembers everything itself')
    },
  }
  try {
    const [channel] = bridge(settings, tools).channels
    assert(channel !== undefined, 'a connection has a channel for each method')
    return channel
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    throw new NotChecked(`It cannot be checked for ${method}: ${error.message}.`)
  }
}
