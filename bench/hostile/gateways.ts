// The gateways under attack. Rate limits are off in sandbox, so wrong signatures are sent to a live one, whose card channel
// is the sandbox's issuer in a separate process.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, newNumber } from '../../test/client.ts'
import type { GatewayUnderTest } from '../gateway-under-test.ts'
import type { Session } from '../session.ts'
import { sandboxShape } from '../shape.ts'
import type { Victim } from './attack.ts'
import type { AttackName } from './attacks/all.ts'

export type Targets = { of(attack: AttackName): GatewayUnderTest }

const SECRET = 'a secret between the benchmark and its issuer'

export async function startTargets(session: Session): Promise<Targets> {
  const sandbox = await session.start({ name: 'sandbox', shape: sandboxShape })
  const live = await startLive(session)
  return { of: (attack) => (attack.startsWith('wrong signatures') ? live : sandbox) }
}

async function startLive(session: Session): Promise<GatewayUnderTest> {
  const folder = session.place.makeFolder('issuer')
  const issuer = await session.startProgram('the card issuer', '../sandbox/main.ts', {
    TOLLGATE_DATA_DIR: folder,
    TOLLGATE_SANDBOX_SECRET: SECRET,
  })
  const channels = join(folder, 'channels.json')
  const card = { name: 'card', method: 'card', url: issuer.readiness, secret: SECRET }
  writeFileSync(channels, JSON.stringify([card]), { mode: 0o600 })
  return session.start({
    name: 'live',
    shape: sandboxShape,
    // Loopback is refused in live, and nothing is delivered here.
    notifyUrl: 'https://shop.example/notify',
    settings: {
      TOLLGATE_ROLE: 'api',
      TOLLGATE_MODE: 'live',
      TOLLGATE_BASE_URL: 'https://pay.example',
      TOLLGATE_TRUSTED_PROXIES: 'none',
      TOLLGATE_CHANNELS: channels,
    },
  })
}

/** The last shop belongs to the attackers; the measured payments come from all shops. */
export async function victimOf(gateway: GatewayUnderTest): Promise<Victim> {
  const shop = gateway.shops.at(-1)
  const port = gateway.nodes[0]?.port
  if (shop === undefined || port === undefined) throw new Error('the gateway has no shop or no node')
  return { port, shop, payUrl: gateway.name === 'live' ? '' : await openOrder(port, shop) }
}

async function openOrder(port: number, shop: Victim['shop']): Promise<string> {
  const order = {
    merNo: shop.merNo,
    merOrderNo: newNumber(),
    currencyCode: 'USD',
    sourceAmount: '12.34',
    returnUrl: 'https://shop.example/back',
    ipAddress: '203.0.113.7',
    version: 'V3.0.0',
  }
  const account = { ...shop, baseUrl: `http://127.0.0.1:${port}` }
  const { data, message } = await call(account, '/payment', order, { paymentType: 'ALIPAY' })
  if (typeof data.payUrl !== 'string') throw new Error(`an Alipay payment was refused: ${message}`)
  return data.payUrl
}
