// Payouts in coin, from the back office to a real chain, through a signer at a socket.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { HDKey } from '@scure/bip32'
import { assertMoneySound } from '../builders/paid-orders.ts'
import { type EvmChain, startEvmChain } from '../counterparties/evm-chain.ts'
import { type EvmSigner, openEvmSigner } from '../counterparties/evm-signer.ts'
import { type BackOffice, openBackOffice, type Person } from '../harness/back-office.ts'
import { call, newNumber } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'

const CONFIRMATIONS = 3
const DOLLAR = 10n ** 18n
const address = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const payee = { benFirstName: 'Paper', benLastName: 'Mill' }
const folder = mkdtempSync(join(tmpdir(), 'tollgate-coin-story-'))

let chain: EvmChain
let token: string
let signer: EvmSigner
let office: BackOffice
let ann: Person
let bob: Person
before(async () => {
  chain = await startEvmChain()
  token = await chain.deployToken()
  signer = openEvmSigner(folder)
  await chain.sendCoin(signer.from, DOLLAR)
  await chain.sendToken(token, signer.from, 1_000n * DOLLAR)
  await signer.start()
  const channels = join(folder, 'channels.json')
  writeFileSync(channels, JSON.stringify([entry()]), { mode: 0o600 })
  office = await openBackOffice({ TOLLGATE_CHANNELS: channels })
  ann = await office.person(office.demo.merNo, 'finance')
  bob = await office.person(office.demo.merNo, 'owner')
})
after(async () => {
  await office.close()
  await signer.close()
  await chain.close()
  rmSync(folder, { recursive: true })
})

function entry(): object {
  const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(8)).derive("m/44'/60'/0'")
  return {
    name: 'testnet',
    protocol: 'evm',
    methods: ['crypto', 'payout_coin'],
    network: 'TESTNET',
    chainId: chain.chainId,
    rpcUrls: [chain.url],
    xpub: account.publicExtendedKey,
    confirmations: CONFIRMATIONS,
    coins: { USDC: { address: token, decimals: 18, price: '1' } },
    outgoing: { from: signer.from, socket: signer.socket },
  }
}

const save = (cardNo: string, network = 'TESTNET') =>
  ann.attempt('POST /beneficiaries', {
    body: {
      label: 'Paper mill',
      kind: 'coin',
      currency: 'USD',
      fields: { ...payee, cardNo, coin: 'USDC', network },
    },
  })

const check = (line: Record<string, string>) =>
  ann.call('POST /payouts/check', {
    body: { lines: [{ currencyCode: 'USD', sourceAmount: '12.50', ...line }] },
  })

async function approve(subject: string): Promise<void> {
  const { rows } = await bob.call('GET /payouts/approvals', { query: {} })
  const approval = rows.find((one) => one.subject === subject)
  assert.ok(approval)
  const params = { approvalId: approval.approvalId }
  await bob.call('POST /payouts/approvals/:approvalId/approve', { params, body: { reason: 'I asked them' } })
}

async function balanceOf(owner: string): Promise<bigint> {
  const data = `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}`
  return BigInt(String(await chain.call('eth_call', [{ to: token, data }, 'latest'])))
}

async function payoutOf(tradeNo: string | undefined) {
  const { rows } = await ann.call('GET /payouts', { query: {} })
  return rows.find((one) => one.tradeNo === tradeNo)
}

it('a saved address is confirmed by a second person, paid once, and shown with its transaction', async () => {
  assert.deepEqual(await ann.call('GET /payouts/coins', {}), {
    coins: [{ coin: 'USDC', network: 'TESTNET' }],
  })
  const wrong = await save(address.toLowerCase())
  assert.match(
    wrong.problem?.fields?.['fields.cardNo'] ?? '',
    /This is not an address with its EIP-55 checksum/,
  )
  const beneficiary = (await save(address)).reply?.beneficiaryId ?? ''
  assert.equal(
    (await save(address)).problem?.fields?.['fields.cardNo']?.startsWith('This account is saved'),
    true,
  )
  assert.equal((await save(address, 'ERC20')).status, 200, 'on another chain it is another account')
  assert.deepEqual((await check({ beneficiary })).secondPerson, ['account'])
  await approve(beneficiary)
  assert.deepEqual((await check({ beneficiary })).secondPerson, [])

  const line = { beneficiary, currencyCode: 'USD', sourceAmount: '12.50' }
  const { runId } = await ann.call('POST /payouts/runs', {
    body: { lines: [line], reason: 'Invoice 17', key: 'coin-form-1' },
  })
  const run = () => ann.call('GET /payouts/runs/:runId', { params: { runId } })
  assert.ok(await eventually(async () => (await run()).run.state === 'done'))
  const tradeNo = (await run()).lines[0]?.tradeNo
  assert.ok(await eventually(async () => (await payoutOf(tradeNo))?.transaction !== undefined))
  assert.equal((await payoutOf(tradeNo))?.state, 'sending')
  const isPaid = async () => {
    await chain.mine()
    return (await payoutOf(tradeNo))?.state === 'succeeded'
  }
  assert.ok(await eventually(isPaid))
  const paid = await payoutOf(tradeNo)
  assert.deepEqual(
    { account: paid?.account, kind: paid?.kind, amount: paid?.money.amount },
    { account: address, kind: 'coin', amount: '12.50' },
  )
  assert.match(paid?.transaction ?? '', /^0x[0-9a-f]{64}$/)
  assert.equal(await balanceOf(address), (25n * DOLLAR) / 2n)
  await assertMoneySound(office.db)
})

it('a file may name addresses; what no channel serves is a problem of its line', async () => {
  const head =
    'merOrderNo,withdrawType,currencyCode,sourceAmount,cardNo,benFirstName,benLastName,coin,network'
  const row = (coin: string, network: string) =>
    `${newNumber()},coin,USD,10.00,${address},Paper,Mill,${coin},${network}`
  const csv = [head, row('USDC', 'TESTNET'), row('USDC', 'ERC20'), row('DOGE', 'TESTNET')].join('\n')
  const { lines, problems } = await ann.call('POST /payouts/check', { body: { csv } })
  assert.equal(problems, 2)
  assert.deepEqual(
    lines.map(({ isNew, problem }) => [isNew, problem === undefined]),
    [
      [false, true],
      [true, false],
      [true, false],
    ],
  )
})

it('the merchant interface has no payout in coin', async () => {
  const body = {
    merNo: office.demo.merNo,
    merOrderNo: newNumber(),
    withdrawType: 'coin',
    currencyCode: 'USD',
    sourceAmount: '10.00',
    cardNo: address,
    coin: 'USDC',
    network: 'TESTNET',
    ...payee,
  }
  assert.equal((await call(office.demo, '/payout', body)).code, '10001')
})
