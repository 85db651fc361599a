// The gateways under attack. Rate limits are off in sandbox. Therefore wrong signatures and requests to public routes
// are sent to a live gateway, whose card channel is the sandbox's issuer in a separate process. Routes that exist only
// in sandbox are attacked on the gateway in sandbox.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAYOUT_BANK_PATH } from '../../sandbox/server.ts'
import { AVAILABLE, CORRECTION, channelAccount } from '../../src/money/ledger/account.ts'
import { postEntries } from '../../src/money/ledger/post-entries.ts'
import { createLinks, receiptEnds } from '../../src/money/orders/page-link.ts'
import { makeLink } from '../../src/money/payment-links/make-link.ts'
import { makeId } from '../../src/platform/base/id.ts'
import { openVault } from '../../src/platform/base/secret.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { type Account, call, cardBody, newNumber } from '../../test/harness/client.ts'
import type { GatewayUnderTest } from '../gateway-under-test.ts'
import type { Session } from '../session.ts'
import { sandboxShape } from '../shape.ts'
import type { Victim } from './attack.ts'
import { isInSandbox, publicAttacks } from './public-routes.ts'

export type Targets = { of(attack: string): GatewayUnderTest }

const SECRET = 'a secret between the benchmark and its issuer'

export async function startTargets(session: Session): Promise<Targets> {
  const sandbox = await session.start({ name: 'sandbox', shape: sandboxShape })
  const live = await startLive(session)
  const isLive = (attack: string) =>
    attack.startsWith('wrong signatures') || (attack in publicAttacks && !isInSandbox(attack))
  return { of: (attack) => (isLive(attack) ? live : sandbox) }
}

async function startLive(session: Session): Promise<GatewayUnderTest> {
  const folder = session.place.makeFolder('issuer')
  const issuer = await session.startProgram('the card issuer', '../sandbox/main.ts', {
    TOLLGATE_DATA_DIR: folder,
    TOLLGATE_SANDBOX_SECRET: SECRET,
  })
  const channels = join(folder, 'channels.json')
  const card = { name: 'card', method: 'card', url: issuer.readiness, secret: SECRET }
  const bank = {
    name: 'bank',
    methods: ['payout_bank'],
    url: issuer.readiness + PAYOUT_BANK_PATH,
    secret: SECRET,
  }
  writeFileSync(channels, JSON.stringify([card, bank]), { mode: 0o600 })
  return session.start({
    name: 'live',
    shape: sandboxShape,
    // A live gateway refuses loopback addresses, and this one delivers nothing.
    notifyUrl: 'https://shop.example/notify',
    settings: {
      TOLLGATE_ROLE: 'api',
      TOLLGATE_MODE: 'live',
      TOLLGATE_BASE_URL: 'https://pay.example',
      TOLLGATE_TRUSTED_PROXIES: 'none',
      TOLLGATE_CHANNELS: channels,
      TOLLGATE_REGISTRATION: 'on',
    },
  })
}

/** The last shop belongs to the attackers; the measured payments come from all shops. */
export async function victimOf(gateway: GatewayUnderTest, masterKey: string): Promise<Victim> {
  const shop = gateway.shops.at(-1)
  const port = gateway.nodes[0]?.port
  if (shop === undefined || port === undefined) throw new Error('the gateway has no shop or no node')
  const account = { ...shop, baseUrl: `http://127.0.0.1:${port}` }
  const payUrl = gateway.name === 'live' ? '' : await pageOf(account, '/payment', { paymentType: 'ALIPAY' })
  const tokens = gateway.name === 'live' ? await tokensOf(gateway.books.db, account, masterKey) : {}
  return { port, shop, payUrl, tokens }
}

/**
 * Returns the tokens of the pages of a paid order and its receipt, of an open order, of a payout whose beneficiary has
 * named no account, and of a payment link.
 */
async function tokensOf(db: Db, account: Account, masterKey: string): Promise<Victim['tokens']> {
  const { data, message } = await call(account, '/payment', cardBody(account))
  if (typeof data.tradeNo !== 'string') throw new Error(`a card payment was refused: ${message}`)
  const vault = openVault(Buffer.from(masterKey, 'hex'))
  const tokenOf = (page: 'pay' | 'receipt') =>
    createLinks(vault, '', page).tokenOf(String(data.tradeNo), receiptEnds(new Date()))
  await giveMoney(db, account.merNo)
  const payee = { benFirstName: 'Test', benLastName: 'Payee', email: 'payee@shop.example', withdrawType: '2' }
  return {
    paid: tokenOf('pay'),
    receipt: tokenOf('receipt'),
    pay: endOf(await pageOf(account, '/cashier/checkStandPay')),
    payout: endOf(
      await pageOf(account, '/payout', {}, { ...payee, notifyUrl: 'https://shop.example/notify' }),
    ),
    link: await makeOpenLink(db, account.merNo),
  }
}

function endOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? ''
}

async function giveMoney(db: Db, merNo: number): Promise<void> {
  const at = new Date()
  const money = { amount: 100_000n, currency: 'USD' }
  const entry = {
    merNo,
    subject: makeId('C', merNo, at),
    step: CORRECTION,
    debit: channelAccount('bench'),
    money,
    at,
  }
  await db.transaction((tx) => postEntries(tx, [{ ...entry, credit: AVAILABLE }]))
}

/** Makes a payment link for many uses, whose payers enter the amount. */
async function makeOpenLink(db: Db, merNo: number): Promise<string> {
  const wanted = {
    ...{ merNo, title: 'A donation', currency: 'USD', reference: '', language: '', notifyUrl: '' },
    ...{ amount: undefined, least: 100n, most: 10_000n, method: undefined, expiresAt: undefined },
    ...{ createdBy: 'the benchmark', createdAt: new Date() },
    uses: 'many',
  } as const
  const { linkId } = await makeLink(db, wanted, async () => {})
  return linkId
}

/** Makes an order or a payout, and returns the address of its page. */
async function pageOf(
  account: Account,
  path: '/payment' | '/cashier/checkStandPay' | '/payout',
  headers: Record<string, string> = {},
  more: Record<string, string> = {},
): Promise<string> {
  const order = {
    merNo: account.merNo,
    merOrderNo: newNumber(),
    currencyCode: 'USD',
    sourceAmount: '12.34',
    returnUrl: 'https://shop.example/back',
    ipAddress: '203.0.113.7',
    productInfoList: [{ sku: 'A-1', productName: 'Alpaca scarf', price: '12.34', quantity: '1' }],
    version: 'V3.0.0',
    ...more,
  }
  const { data, message } = await call(account, path, order, headers)
  if (typeof data.payUrl !== 'string') throw new Error(`${path} was refused: ${message}`)
  return data.payUrl
}
