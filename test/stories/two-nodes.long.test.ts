// Two gateways on one database with the same merchants, both under load. TOLLGATE_SOAK_SECONDS sets the duration.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { createMerchant } from '../../src/money/merchants/create-merchant.ts'
import { readOptions } from '../../src/money/merchants/options.ts'
import { openVault, type Vault } from '../../src/platform/base/secret.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { type Account, newNumber, pay } from '../harness/client.ts'
import { assertSound, countOpen, countOrders, statesOf } from '../harness/database-checks.ts'
import { eventually } from '../harness/eventually.ts'
import {
  freePort,
  type GatewayProcess,
  type Installation,
  openInstallation,
} from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'

const SOAK_MS = Number(process.env.TOLLGATE_SOAK_SECONDS ?? 10) * 1000
/** The smallest number of payments. On a slow machine the test runs for longer until it has them. */
const LEAST_PAYMENTS = 200
const MERCHANTS = 4
const WORKERS_A_NODE = 12
const SITE = 'shop.example'
const PENDING = 2
const [SUCCEEDED, FAILED] = [5, 6]

let installation: Installation
let nodes: GatewayProcess[]
let merchants: Pick<Account, 'merNo' | 'key'>[]

const database = useDatabase({
  async before() {
    const masterKey = randomBytes(32)
    const vault = openVault(masterKey)
    merchants = await Promise.all(Array.from({ length: MERCHANTS }, () => makeMerchant(database.db, vault)))
    installation = await openInstallation({
      DATABASE_URL: database.url,
      TOLLGATE_MASTER_KEY: masterKey.toString('hex'),
      TOLLGATE_CHANNEL_TIMEOUT_MS: '2000',
    })
    nodes = await Promise.all([installation.start(), installation.start({ PORT: String(await freePort()) })])
  },
  after: () => installation.remove(),
})

function makeMerchant(db: Db, vault: Vault) {
  const options = readOptions({
    name: 'Shop',
    sites: [SITE],
    feeBps: '250',
    feeFixed: '0.30',
    marginBps: '1000',
  })
  return db.transaction((tx) => createMerchant(tx, vault, { options, pending: false, now: new Date() }))
}

/** Returns a merchant at a node. The turns go through all pairs of merchants and nodes. */
function anyAccount(turn: number): Account {
  const merchant = merchants[turn % merchants.length]
  const node = nodes[Math.floor(turn / merchants.length) % nodes.length]
  assert.ok(merchant !== undefined && node !== undefined)
  return { merNo: merchant.merNo, key: merchant.key, site: SITE, baseUrl: node.account.baseUrl }
}

it('a hundred identical requests to both nodes create exactly one order', async () => {
  const accounts = Array.from({ length: 100 }, (_, turn) => anyAccount(turn * MERCHANTS))
  await Promise.all(accounts.map((account) => fetch(`${account.baseUrl}/healthz`)))
  const merOrderNo = newNumber()
  const replies = await Promise.all(accounts.map((account) => pay(account, { merOrderNo })))
  const codes = replies.map((reply) => reply.code).sort()
  assert.equal(codes[0], '00000')
  // A repeated number is refused with 10003 within a second of the first request, and with 10009 later.
  for (const code of codes.slice(1)) assert.match(code, /^1000[39]$/)
  assert.equal(await countOrders(database.db), 1)
})

it('both nodes under load have no errors and no deadlocks, and the books add up', async (t) => {
  const before = await countOrders(database.db)
  const until = Date.now() + SOAK_MS
  const answers = new Map<string, number>()
  const decided = new Map<string, number>()
  let answered = 0
  const work = async (worker: number) => {
    // One worker in twelve uses banks that do not respond, so that both resolvers have work.
    const cards = worker % WORKERS_A_NODE === 0 ? silentCards : quickCards
    for (let turn = worker; Date.now() < until || answered < LEAST_PAYMENTS; turn += 7) {
      const { card, payCode } = cards[turn % cards.length] ?? quickCards[0]
      const sourceAmount = `${1 + (turn % 9)}.${10 + (turn % 90)}`
      const reply = await pay(anyAccount(turn), { cardNo: card, sourceAmount })
      // On a slow machine a bank's answer may come too late. Then the payment is pending, whatever its card.
      const isPending = reply.data.payCode === PENDING
      const answer = `${reply.code} ${isPending || reply.data.payCode === payCode}`
      if (!isPending) decided.set(String(reply.data.tradeNo), payCode === 0 ? SUCCEEDED : FAILED)
      answered += 1
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 2 * WORKERS_A_NODE }, (_, worker) => work(worker)))
  assert.deepEqual([...answers.keys()], ['00000 true'])
  t.diagnostic(`${answered} payments in ${SOAK_MS} ms`)
  assert.equal((await countOrders(database.db)) - before, answered)

  assert.ok(await eventually(async () => (await countOpen(database.db)) === 0), 'orders stay open')
  assert.ok(decided.size > 0, 'no bank answered in time')
  const states = await statesOf(database.db)
  for (const [tradeNo, state] of decided) assert.equal(states.get(tradeNo), state, tradeNo)
  assert.deepEqual(await Promise.all(nodes.map((node) => node.stop())), [0, 0])
  assert.equal(await deadlocks(database.db), 0)
  assert.doesNotMatch(installation.output(), /"level":[56]0/)
  await assertSound(database.db)
})

type Paid = { readonly card: string; readonly payCode: number }

const quickCards: readonly [Paid, ...Paid[]] = [
  { card: '4242424242424242', payCode: 0 },
  { card: '5555555555554444', payCode: 0 },
  { card: '4000000000009995', payCode: 1 },
  { card: '4000000000003220', payCode: 2 },
]
const silentCards: readonly Paid[] = [
  { card: '4000000000000119', payCode: 2 },
  { card: '4000000000006975', payCode: 2 },
]

async function deadlocks(db: Db): Promise<number | undefined> {
  const [row] = await db.query<{ deadlocks: number }>({
    text: 'select deadlocks::int from pg_stat_database where datname = current_database()',
  })
  return row?.deadlocks
}
