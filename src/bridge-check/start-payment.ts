// Starts a payment by the gateway's own channel, to see whether it understands what the bridge sends for the method.
import { systemClock } from '../base/clock.ts'
import { connectors } from '../channels/connectors.ts'
import type { Outcome } from '../channels/contract.ts'
import type { Method } from '../channels/method.ts'
import { SettingError } from '../errors/catalogue.ts'
import { NotChecked, type TestedBridge } from './check.ts'

const TIMEOUT_MS = 20_000
const HALF_AN_HOUR_MS = 1_800_000

export type StartAt = Pick<TestedBridge, 'money' | 'inbox' | 'reference'> & {
  readonly url: string
  readonly secret: string
}

export async function startPayment(bridge: StartAt, method: Method): Promise<Outcome> {
  const { url, secret, money, inbox } = bridge
  return channelOf(method, { url, secret }).start({
    reference: bridge.reference(),
    money,
    merNo: 10_001,
    personal: {},
    details: {},
    terminal: 'WEB',
    merchantName: 'Conformance check',
    expiresAt: new Date(Date.now() + HALF_AN_HOUR_MS),
    completeUrl: inbox.url,
    callbackUrl: inbox.url,
  })
}

/** A channel that needs more than an address and a secret cannot be made here. */
function channelOf(method: Method, address: { readonly url: string; readonly secret: string }) {
  const settings = { name: 'check', protocol: 'bridge', methods: [method], payoutKinds: [], ...address }
  const tools = {
    clock: systemClock,
    timeoutMs: TIMEOUT_MS,
    useToken: async () => true,
    reference: { find: () => undefined },
    storeOf() {
      throw new Error('the bridge remembers nothing here')
    },
  }
  try {
    return connectors[method](settings, tools)
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    throw new NotChecked(`The method ${method} needs more settings than an address and a secret.`)
  }
}
