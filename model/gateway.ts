// The real gateway, in this process: its use cases on a real database, with a clock that the model moves. Operations
// report the outcomes of channels and payout rails themselves, or set beforehand what the channels answer on our page.
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { createMerchant } from '../src/money/merchants/create-merchant.ts'
import { loadMerchants } from '../src/money/merchants/load-merchants.ts'
import type { Merchant } from '../src/money/merchants/merchant.ts'
import { type OptionTexts, readOptions } from '../src/money/merchants/options.ts'
import type { FoundPayment } from '../src/money/order-queries/find-payment.ts'
import type { NewPayment } from '../src/money/orders/new-order.ts'
import { openPlatformLimits } from '../src/money/orders/platform-limits.ts'
import { openRecordBatch } from '../src/money/payments/record-outcomes.ts'
import { openRates, type Rates } from '../src/money/rates/rates.ts'
import { type NewRate, setRates } from '../src/money/rates/set-rate.ts'
import { noRisk } from '../src/money/risk/risk.ts'
import type { Caller } from '../src/people/roles/caller.ts'
import { merchantPermissions } from '../src/people/roles/permissions.ts'
import { noBins } from '../src/platform/base/bin-table.ts'
import { openVault } from '../src/platform/base/secret.ts'
import { Gate } from '../src/platform/concurrency/gate.ts'
import { createSingleFlight } from '../src/platform/concurrency/single-flight.ts'
import { OperatorRefusal, Refusal } from '../src/platform/errors/catalogue.ts'
import { Problem } from '../src/platform/errors/problem.ts'
import type { Db } from '../src/platform/postgres/db.ts'
import type { Channel, Outcome } from '../src/rails/contract/channel.ts'
import { accountKinds, type PayoutRail } from '../src/rails/contract/payout-rail.ts'
import { methods } from '../src/rails/methods/methods.ts'
import { createPayoutRouting, registerPayoutRails } from '../src/rails/routing/payout-routing.ts'
import { createRouting, registerChannels } from '../src/rails/routing/routing.ts'
import { aReference } from '../test/builders/reference.ts'
import type { Model, Shop } from './rules/facts.ts'
import { type Method, methodNames } from './rules/methods.ts'
import { readRate } from './rules/rates.ts'
import { optionsOf, type ShopTerms, shops } from './shops.ts'

export type Gateway = Awaited<ReturnType<typeof openGateway>>['gateway']

// New York changes its clocks four days after this time.
const BEGIN_MS = Date.parse('2026-03-04T05:30:00Z')
const FIRST_RATES: readonly (readonly [string, string, string])[] = [
  ['BRL', '0.183417', '5.4'],
  ['EUR', '1.083417', '0.9217731'],
  ['JPY', '0.006674123', '149.8'],
  ['KWD', '3.253118', '0.3071'],
  ['MXN', '0.0583', '16.9'],
  ['PEN', '0.268117', '3.66'],
  ['PHP', '0.01713', '57.2'],
  ['VND', '0.000039312777', '25400'],
]

/** Opens the gateway on an empty database, with the model's merchants and rates. */
export async function openGateway(db: Db) {
  const model: Model = {
    nowMs: BEGIN_MS,
    rates: new Map(),
    shops: [],
    namedPlans: [],
    platformLimits: new Map(),
    orders: [],
    links: [],
    bulks: [],
    runs: [],
    payouts: [],
    suspense: [],
    disputes: [],
    statementLines: [],
    corrections: [],
    approvals: [],
  }
  const clock = { now: () => new Date(model.nowMs) }
  const vault = openVault(randomBytes(32))
  let current: Rates | undefined
  const rates: Rates = {
    find: (from, to) => current?.find(from, to),
    usdValue: (money) => current?.usdValue(money),
    close: () => current?.close(),
  }
  const merchants = new Map<number, Merchant>()
  const findMerchant = async (merNo: number) => merchants.get(merNo)
  const says: { start: Outcome; cancel: Outcome } = { start: silent, cancel: silent }
  const channels = registerChannels(
    methodNames.map((method) => ({
      ...neverCalled(method),
      start: async () => says.start,
      cancel: async () => says.cancel,
    })),
  )
  const rails = registerPayoutRails([neverSent])
  const gateway = {
    db,
    clock,
    vault,
    rates,
    channels,
    routing: createRouting({ channels, clock }),
    rails,
    payoutRouting: createPayoutRouting({ rails, clock }),
    platformLimits: openPlatformLimits(db, clock),
    risk: noRisk,
    reference: aReference,
    bins: noBins,
    findMerchant,
    ...openPages(db, rates),
    /** The channels' answers to a payer on our page. */
    says,
    merchantOf: ({ merNo }: Pick<Shop, 'merNo'>): Merchant => {
      const merchant = merchants.get(merNo)
      if (merchant === undefined) throw new Error('the model made this merchant')
      return merchant
    },
    /** The payments that the gateway accepted, by trade number. Operations need them to report outcomes. */
    payments: new Map<string, NewPayment>(),
    /** How often each operation had each result. */
    counts: new Map<string, number>(),
    count(what: string) {
      gateway.counts.set(what, (gateway.counts.get(what) ?? 0) + 1)
    },
    async reload({ merNo }: Pick<Shop, 'merNo'>) {
      for (const [number, merchant] of await loadMerchants(db, vault, [merNo], clock.now()))
        merchants.set(number, merchant)
    },
    async setRates(wanted: readonly NewRate[]) {
      await db.transaction((tx) => setRates(tx, wanted, { now: clock.now(), isConfirmed: true }))
      const opened = await openRates({ db, clock })
      current?.close()
      current = opened
      for (const { from, to, rate } of wanted) model.rates.set(`${from} ${to}`, readRate(rate))
    },
  }
  const both = FIRST_RATES.flatMap(([currency, toDollar, fromDollar]) => [
    { from: currency, to: 'USD', rate: toDollar },
    { from: 'USD', to: currency, rate: fromDollar },
  ])
  await gateway.setRates(both)
  for (const terms of shops) model.shops.push(await makeShop(gateway, terms))
  return { model, gateway }
}

export const silent: Outcome = { kind: 'unknown', why: 'no answer' }

/** The additional dependencies of our pages. Alarms are discarded. */
function openPages(db: Db, rates: Rates) {
  const alarm = () => {}
  return {
    gate: new Gate({ most: 100, mostWorking: 1 }),
    recordBatch: openRecordBatch({ db, rates }),
    payerCalls: createSingleFlight<FoundPayment | undefined>(),
    baseUrl: 'https://pay.example',
    log: pino({ level: 'silent' }),
    alarm,
    alarmsOf: () => ({ raise: async () => {} }),
    pokeDelivery: () => {},
    forbidCard: async () => {},
  }
}

async function makeShop({ db, vault, clock, reload }: Gateway, terms: ShopTerms): Promise<Shop> {
  const texts: OptionTexts = { name: 'Model shop', sites: ['shop.example'], ...optionsOf(terms) }
  const wanted = { options: readOptions(texts), pending: false, now: clock.now() }
  const { merNo } = await db.transaction((tx) => createMerchant(tx, vault, wanted))
  await reload({ merNo })
  return { ...terms, methodPlans: new Map(), merNo }
}

const unused = () => Promise.reject(new Error('the model reports outcomes itself'))

function neverCalled(method: Method): Channel {
  return {
    name: method,
    method,
    traits: { ...methods[method], timeoutMs: 1_000 },
    start: unused,
    complete: unused,
    ask: unused,
    cancel: unused,
    refund: unused,
  }
}

const neverSent: PayoutRail = {
  name: 'bank',
  kinds: accountKinds,
  currencies: 'any',
  timeoutMs: 1_000,
  tokenise: unused,
  send: async () => silent,
  ask: unused,
}

/** Returns a back-office call by a signed-in person of the merchant. */
export function callOf({ merNo }: Pick<Shop, 'merNo'>, email = 'finance@shop.example') {
  const caller: Caller = {
    userId: email,
    email,
    name: email,
    merNo,
    role: 'owner',
    permissions: new Set(merchantPermissions),
    sessionId: '',
    address: '',
    language: null,
    factors: [],
    factorRequired: false,
    factorAt: null,
  }
  const tokens = { token: undefined, setSession: () => {}, device: undefined, setDevice: () => {} }
  return { caller, browser: { address: '', agent: '', ...tokens }, params: undefined, query: undefined }
}

/**
 * Returns true if the gateway did the work, and false if it refused a person's command. Every other error is thrown.
 */
export async function didIt(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof OperatorRefusal || error instanceof Problem) return false
    throw error
  }
}

/** Returns what the gateway made, or the code of its refusal. */
export async function codeOf<Made>(work: () => Promise<Made>): Promise<Made | string> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
