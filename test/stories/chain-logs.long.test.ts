// A real gateway is paid in coin on a real chain, through a node whose address contains a key, and refunds through a
// signer at a socket. Both refuse and send nonsense, and the node also breaks connections. The node's answers repeat
// the request with the node's address, and the signer's answers contain its private key. No key may be in the log at
// level debug, the metrics, the tables or the back office.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, it } from 'node:test'
import { HDKey } from '@scure/bip32'
import type { ChannelEntry } from '../../sandbox/place.ts'
import { withChecksum } from '../../src/rails/toolkit/formats/chain-address.ts'
import { type EvmChain, startEvmChain } from '../counterparties/evm-chain.ts'
import { type FaultyProxy, openFaultyProxy } from '../counterparties/faulty-proxy.ts'
import { call, cardBody, query, type Reply } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { assertNowhere, faults, type LeakStory, openLeakStory, said } from '../harness/leak-story.ts'
import { assertFound } from '../harness/leaks.ts'

const CONFIRMATIONS = 2
const TEN_DOLLARS = 10n ** 19n
const SUCCEEDED = 3
const KEYS = { path: randomBytes(16).toString('hex'), query: `q-${randomBytes(8).toString('hex')}` }
const PRIVATE_KEY = randomBytes(32).toString('hex')
const folder = mkdtempSync(join(tmpdir(), 'tollgate-chain-logs-'))

let chain: EvmChain
let proxy: FaultyProxy
let signer: Server
/** The signer's answer to a request. */
let answer: (line: string) => string
let story: LeakStory
let entries: ChannelEntry[]
let paid: Reply['data']
before(async () => {
  chain = await startEvmChain()
  const token = await chain.deployToken()
  // The account gets tokens, because a node refuses to estimate a transfer that the account cannot make.
  await chain.sendToken(token, chain.other, TEN_DOLLARS)
  proxy = await openFaultyProxy(chain.url)
  const socket = join(folder, 'signer.sock')
  signer = createServer((peer) => {
    peer.on('error', () => {})
    createInterface(peer).on('line', (line) => peer.write(`${answer(line)}\n`))
  }).listen(socket)
  await once(signer, 'listening')
  const { publicExtendedKey } = HDKey.fromMasterSeed(new Uint8Array(32).fill(9)).derive("m/44'/60'/0'")
  const entry = {
    name: 'testnet',
    protocol: 'evm',
    methods: ['crypto'],
    network: 'TESTNET',
    chainId: chain.chainId,
    rpcUrls: [`${proxy.url}/v3/${KEYS.path}?apikey=${KEYS.query}`],
    xpub: publicExtendedKey,
    confirmations: CONFIRMATIONS,
    coins: { USDC: { address: token, decimals: 18, price: '1' } },
    outgoing: { from: withChecksum(chain.other), socket },
  }
  entries = [entry]
  story = await openLeakStory(() => entries)
  await story.route('crypto', 'testnet')
  paid = await payInCoin(token)
})
after(async () => {
  await story.close()
  signer.close()
  await proxy.close()
  await chain.close()
  rmSync(folder, { recursive: true })
})

const hidden = () => ({ entries, secrets: [PRIVATE_KEY] })

const order = () =>
  call(
    story.account,
    '/payment',
    cardBody(story.account, { sourceAmount: '10.00', coin: 'USDC', network: 'TESTNET' }),
    { paymentType: 'CRYPTO' },
  )

/** Creates an order and pays it in coin. No order can be paid before the gateway has read the first blocks. */
async function payInCoin(token: string): Promise<Reply['data']> {
  let data: Reply['data'] = {}
  const isOpen = async () => {
    data = (await order()).data
    return data.payCode === 2
  }
  assert.ok(await eventually(isOpen), JSON.stringify(data))
  await chain.sendToken(token, String(data.account), TEN_DOLLARS)
  await chain.mine(CONFIRMATIONS)
  return data
}

async function refund(amount: string): Promise<unknown> {
  const { merOrderNo, tradeNo } = paid
  const asked = {
    merNo: story.account.merNo,
    merOrderNo,
    tradeNo,
    operationType: 'refund',
    version: 'V3.0.0',
  }
  const { code, message, data } = await call(story.account, '/refund/apply', { ...asked, amount })
  assert.equal(code, '00000', message)
  return data.refundNo
}

const lines = (text: string) => story.installation.output().split(text).length - 1

it('a payment in coin arrives', async () => {
  const isPaid = async () => (await query(story.account, paid.merOrderNo)).data.state === SUCCEEDED
  assert.ok(await eventually(isPaid))
})

it('the signer refuses with its private key in the reason, and talks nonsense', async () => {
  answer = (line) => said({ id: JSON.parse(line).id, refused: `no signature by 0x${PRIVATE_KEY}` })
  await refund('1.00')
  const reasons = () =>
    story.database.db.query({
      text: `select 1 from channel_records where body::text like '%no signature by%'`,
    })
  assert.ok(await eventually(async () => (await reasons()).length > 0), 'the reason is stored')
  answer = (line) => `${PRIVATE_KEY} ${line}`
  await refund('1.01')
  answer = (line) => said({ id: JSON.parse(line).id, raw: `0x${PRIVATE_KEY}` })
  await refund('1.02')
  assert.ok(await eventually(() => lines('signer') > 1), 'the log is about the signer')
})

it('the node refuses, breaks off and talks nonsense', async () => {
  for (const fault of faults) {
    const before = lines(`"channel":"testnet"`)
    proxy.meet(fault)
    await order()
    assert.ok(await eventually(() => lines(`"channel":"testnet"`) > before), 'the log is about the channel')
  }
})

it('no key is anywhere', async () => {
  assert.match(story.installation.output(), /error -32000, /)
  await assertNowhere(story, hidden())
})

it('the search would find each of them', () => {
  const urls = Object.values(entries[0]?.rpcUrls ?? {})
  assertFound([...Object.values(KEYS), `0x${PRIVATE_KEY}`, ...urls], hidden())
})
