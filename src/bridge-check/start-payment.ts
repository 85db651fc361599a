// Starts a payment by the gateway's own channel, to see whether it understands what the bridge sends for the method.
import { systemClock } from '../base/clock.ts'
import { bridge } from '../channels/bridge/bridge.ts'
import type { Channel, Outcome } from '../channels/contract.ts'
import type { Method } from '../channels/method.ts'
import type { Terminal } from '../channels/terminal.ts'
import { assert, SettingError } from '../errors/catalogue.ts'
import { NotChecked, type TestedBridge } from './check.ts'

const TIMEOUT_MS = 20_000
const HALF_AN_HOUR_MS = 1_800_000

export type StartAt = Pick<TestedBridge, 'money' | 'inbox' | 'reference'> & {
  readonly url: string
  readonly secret: string
}

/** What some methods need to know of the payer. */
const details = {
  userId: 'payer-1',
  ipAddress: '192.0.2.1',
  vaBankId: '970436',
  paymentMethodStr: 'qrcode',
  customerIdentificationType: '00',
}
const personal = { customerIdentification: '41552384' }

export async function startPayment(at: StartAt, method: Method, terminal: Terminal): Promise<Outcome> {
  const { url, secret, money, inbox } = at
  return channelOf(method, { url, secret }).start({
    reference: at.reference(),
    money,
    merNo: 10_001,
    personal,
    details,
    terminal,
    merchantName: 'Conformance check',
    expiresAt: new Date(Date.now() + HALF_AN_HOUR_MS),
    completeUrl: inbox.url,
    callbackUrl: inbox.url,
  })
}

/** A channel that needs more than an address and a secret cannot be made here. */
function channelOf(method: Method, address: { readonly url: string; readonly secret: string }): Channel {
  const settings = { name: 'check', protocol: 'bridge', methods: [method], payoutKinds: [], ...address }
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
