// Payments on a real chain, from the merchant's request to the notification, and over the death of the gateway.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { HDKey } from '@scure/bip32'
import { type EvmChain, startEvmChain } from '../counterparties/evm-chain.ts'
import { openReceiver, type Receiver } from '../counterparties/receiver.ts'
import { type Account, call, cardBody, newNumber, query, type Reply } from '../harness/client.ts'
import { assertSound } from '../harness/database-checks.ts'
import { eventually } from '../harness/eventually.ts'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'

const CONFIRMATIONS = 3
const TEN_DOLLARS = 10n ** 19n
/** The state of a paid order in the answer to a query. */
const SUCCEEDED = 3

let chain: EvmChain
let token: string
let receiver: Receiver
let installation: Installation
let gateway: GatewayProcess
let settings: Readonly<Record<string, string>>

const database = useDatabase({
  async before({ url }) {
    chain = await startEvmChain()
    token = await chain.deployToken()
    receiver = await openReceiver()
    installation = await openInstallation({ DATABASE_URL: url })
    const channels = join(installation.dataDir, 'channels.json')
    writeFileSync(channels, JSON.stringify([entry()]), { mode: 0o600 })
    settings = { TOLLGATE_CHANNELS: channels }
    gateway = await installation.start(settings)
  },
  async after() {
    await installation.remove()
    await receiver.close()
    await chain.close()
  },
})

function entry(): object {
  const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/60'/0'")
  return {
    name: 'testnet',
    protocol: 'evm',
    methods: ['crypto'],
    network: 'TESTNET',
    chainId: chain.chainId,
    rpcUrls: [chain.url],
    xpub: account.publicExtendedKey,
    confirmations: CONFIRMATIONS,
    coins: { USDC: { address: token, decimals: 18, price: '1' } },
  }
}

/** Returns the body of a payment in a network that only the settings name. */
function body(account: Account): Record<string, unknown> {
  return cardBody(account, {
    merOrderNo: newNumber(),
    currencyCode: 'USD',
    sourceAmount: '10.00',
    notifyUrl: `${receiver.url}/notify`,
    coin: 'USDC',
    network: 'TESTNET',
  })
}

/** Opens a payment, which is possible once the gateway has read the first blocks. */
async function open(): Promise<Reply['data']> {
  let data: Reply['data'] = {}
  const isOpen = async () => {
    const reply = await call(gateway.account, '/payment', body(gateway.account), { paymentType: 'CRYPTO' })
    data = reply.data
    return reply.code === '00000' && data.payCode === 2
  }
  assert.ok(await eventually(isOpen), JSON.stringify(data))
  return data
}

async function isPaid(merOrderNo: unknown): Promise<boolean> {
  const { data } = await query(gateway.account, merOrderNo)
  return data.state === SUCCEEDED
}

it('a transfer of tokens pays its order, and the merchant is notified with its hash', async () => {
  const { account, coinAmount, network, merOrderNo } = await open()
  assert.deepEqual({ coinAmount, network }, { coinAmount: '10.000000', network: 'TESTNET' })
  const txHash = await chain.sendToken(token, String(account), TEN_DOLLARS)
  await chain.mine(CONFIRMATIONS)
  assert.ok(
    await eventually(() => isPaid(merOrderNo)),
    JSON.stringify(await query(gateway.account, merOrderNo)),
  )
  const { data } = await query(gateway.account, merOrderNo)
  assert.equal(data.transactionHash, txHash)
  assert.match(String(data.gasFee), /^0\.0\d+$/)
  assert.ok(await eventually(() => receiver.received('/notify').some(({ body }) => body.includes(txHash))))
})

it('a transfer that comes while the gateway is dead is found afterwards, once', async () => {
  const { account, merOrderNo } = await open()
  await gateway.kill()
  await chain.sendToken(token, String(account), TEN_DOLLARS / 2n)
  await chain.sendToken(token, String(account), TEN_DOLLARS / 2n)
  await chain.mine(CONFIRMATIONS)
  gateway = await installation.start(settings)
  assert.ok(await eventually(() => isPaid(merOrderNo)))
  const { data } = await query(gateway.account, merOrderNo)
  assert.equal(data.receiveAmount, '10.00')
  await assertSound(database.db)
})
