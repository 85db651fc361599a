// Sends coin through the signer: asks for signatures, records and broadcasts what was signed, and waits until its block is
// final. The gateway has no key.
//
// Invariant: a signed transaction is recorded before it is broadcast, and a transfer accepts transactions of one nonce only.
// So however often the signer answers, the coin leaves once.
import { isObject } from '../../base/object.ts'
import { withChecksum } from '../crypto/address.ts'
import type { ChannelStore } from '../store.ts'
import { type Receipt, readReceipt } from './chain.ts'
import type { EvmSettings, Outgoing } from './evm-settings.ts'
import {
  addressTopic,
  formatUnits,
  readNumber,
  readQuantity,
  TRANSFER_TOPIC,
  toQuantity,
  transferData,
} from './hex.ts'
import type { Rpc } from './json-rpc.ts'
import type { Head } from './nodes.ts'
import { findOutgoing, type OutgoingTransfer, putOutgoing, type SignedTransfer } from './outgoing-records.ts'
import { listAll } from './records.ts'
import { readSignedTransaction, type SignedTransaction } from './signed-transaction.ts'
import { openSignerFolder, type SignerAnswer, type SignerFolder } from './signer-folder.ts'

export type OutgoingJob = {
  readonly store: ChannelStore
  readonly settings: EvmSettings
  readonly outgoing: Outgoing
  readonly head: Head
  /** The last final block. */
  readonly final: number
  readonly signal: AbortSignal
}

export async function sendOutgoing(job: OutgoingJob): Promise<void> {
  const folder = await openSignerFolder(job.outgoing.folder)
  const problems: string[] = []
  for (const answer of await folder.answers()) {
    const problem = await takeAnswer(job, answer)
    await folder.finish(answer.id, problem === undefined ? 'done' : 'bad')
    if (problem !== undefined) problems.push(`bad/${answer.id}.json: ${problem}`)
  }
  const asked = await folder.asked()
  for (const transfer of await listOpen(job.store)) {
    const isAsked = transfer.state === 'waiting' && asked.has(transfer.id)
    if (isAsked) continue
    const moving = transfer.state === 'sent' ? follow(job, transfer) : ask(job, folder, transfer)
    // One without funds, say, does not keep the others.
    await moving.catch((error: Error) => problems.push(`${transfer.id}: ${error.message}`))
  }
  if (problems.length > 0) throw new Error(`outgoing transfers need a look: ${problems.join('; ')}`)
}

/** Returns why the answer cannot be used. */
async function takeAnswer(
  { store, settings }: OutgoingJob,
  answer: SignerAnswer,
): Promise<string | undefined> {
  const transfer = await findOutgoing(store, answer.id)
  if (transfer === undefined) return 'no transfer has this id'
  if (answer.kind === 'malformed') return 'it has neither "raw" nor "refused"'
  if (answer.kind === 'refused') {
    if (transfer.state !== 'waiting') return 'a transaction was signed before'
    await store.write(putOutgoing({ ...transfer, state: 'failed', why: answer.why }))
    return undefined
  }
  const transaction = readSignedTransaction(answer.raw)
  const problem =
    transaction === undefined ? 'not a transaction of type 2' : mismatch(settings, transfer, transaction)
  if (transaction === undefined || problem !== undefined) return problem
  const { txHash, nonce } = transaction
  const signed = [
    ...transfer.signed.filter((one) => one.txHash !== txHash),
    { raw: answer.raw, txHash, nonce },
  ]
  if (transfer.state === 'waiting' || transfer.state === 'sent')
    await store.write(putOutgoing({ ...transfer, state: 'sent', signed }))
  return undefined
}

/** What the transaction must do. */
export function callOf({
  token,
  to,
  units,
}: OutgoingTransfer): Pick<SignedTransaction, 'to' | 'value' | 'data'> {
  return token === 'native'
    ? { to, value: units, data: '0x' }
    : { to: token, value: 0n, data: transferData(to, units) }
}

/** A second transaction, with a higher fee perhaps, must have the nonce of the first. */
function mismatch(
  { chainId }: EvmSettings,
  transfer: OutgoingTransfer,
  transaction: SignedTransaction,
): string | undefined {
  const asked = callOf(transfer)
  if (transaction.chainId !== BigInt(chainId)) return `signed for chain ${transaction.chainId}`
  if (transaction.to !== asked.to || transaction.value !== asked.value || transaction.data !== asked.data)
    return 'it pays something else than was asked for'
  const [first] = transfer.signed
  return first === undefined || first.nonce === transaction.nonce
    ? undefined
    : `an earlier answer has nonce ${first.nonce}: sign it again with that nonce only`
}

async function listOpen(store: ChannelStore): Promise<OutgoingTransfer[]> {
  const found = await Promise.all(
    (await listAll(store, 'to-send')).map(({ key }) => findOutgoing(store, key)),
  )
  return found.flatMap((transfer) => transfer ?? [])
}

async function follow(job: OutgoingJob, transfer: OutgoingTransfer): Promise<void> {
  const mined = await findMined(job, transfer)
  if (mined === undefined) return broadcast(job, transfer)
  if (mined.blockNumber > job.final) return
  const isPaid = mined.isSuccess && (transfer.token === 'native' || hasTransfer(mined, transfer))
  const why = isPaid ? '' : 'The chain reverted the transaction'
  await job.store.write(putOutgoing({ ...transfer, state: isPaid ? 'succeeded' : 'failed', why }))
}

/** The nonce is recorded first, so that no two transfers get the same one. */
async function ask(job: OutgoingJob, folder: SignerFolder, transfer: OutgoingTransfer): Promise<void> {
  const others = (await listOpen(job.store)).filter(({ id }) => id !== transfer.id)
  const used = new Set(
    others.flatMap(({ proposed, signed }) => [proposed, ...signed.map(({ nonce }) => nonce)]),
  )
  const pending = await job.head.any(async (rpc) => {
    const params = [job.outgoing.from, 'pending']
    return readNumber(await rpc.call('eth_getTransactionCount', params, job.signal), 'the nonce')
  })
  const proposed = transfer.proposed ?? freeNonce(pending, used)
  await job.store.write(putOutgoing({ ...transfer, proposed }))
  await folder.ask(transfer.id, await requestOf(job, transfer, proposed))
}

/** The first that no open transfer uses: it also fills the gap that a refusal left. */
function freeNonce(pending: number, used: ReadonlySet<number | undefined>): number {
  let nonce = pending
  while (used.has(nonce)) nonce += 1
  return nonce
}

async function findMined(job: OutgoingJob, { signed }: OutgoingTransfer): Promise<Receipt | undefined> {
  for (const { txHash } of signed) {
    const receipt = await job.head.agreed(`the transaction ${txHash}`, async (rpc) => {
      return { found: await readReceipt(rpc, txHash, job.signal) }
    })
    if (receipt.found !== undefined) return receipt.found
  }
  return undefined
}

function hasTransfer({ logs }: Receipt, { token, to, units }: OutgoingTransfer): boolean {
  return logs.some(({ address, topics, data }) => {
    const isOurs = typeof address === 'string' && address.toLowerCase() === token && Array.isArray(topics)
    return (
      isOurs &&
      topics[0] === TRANSFER_TOPIC &&
      topics[2] === addressTopic(to) &&
      readQuantity(data, 'a value') === units
    )
  })
}

/** To all nodes, again in each round until a block has it. Their answers do not matter: the receipt tells. */
async function broadcast({ head, signal }: OutgoingJob, { signed }: OutgoingTransfer): Promise<void> {
  const send = (rpc: Rpc, { raw }: SignedTransfer) => rpc.call('eth_sendRawTransaction', [raw], signal)
  await Promise.allSettled(head.nodes.flatMap((rpc) => signed.map((one) => send(rpc, one))))
}

/** What the signer reads. Nonce, gas and fees are proposals; the rest must stay as it is. */
async function requestOf(job: OutgoingJob, transfer: OutgoingTransfer, nonce: number): Promise<object> {
  const { settings, outgoing, head, signal } = job
  const call = callOf(transfer)
  const from = withChecksum(outgoing.from)
  const transaction = { from, to: withChecksum(call.to), value: toQuantity(call.value), data: call.data }
  const proposed = await head.any(async (rpc) => {
    const gas = readQuantity(await rpc.call('eth_estimateGas', [transaction], signal), 'the gas')
    return { gas: gas + gas / 4n, fees: await readFees(rpc, signal) }
  })
  const decimals = settings.coins.get(transfer.coin)?.decimals.chain ?? 0
  return {
    id: transfer.id,
    payment: transfer.reference,
    pays: `${formatUnits(transfer.units, decimals)} ${transfer.coin} on ${settings.network} to ${withChecksum(transfer.to)}`,
    chainId: settings.chainId,
    ...transaction,
    type: '0x2',
    nonce: toQuantity(nonce),
    gas: toQuantity(proposed.gas),
    ...proposed.fees,
  }
}

/** Twice the current base fee stays enough for some blocks, as wallets do it. */
async function readFees(rpc: Rpc, signal: AbortSignal): Promise<object> {
  const priority = readQuantity(await rpc.call('eth_maxPriorityFeePerGas', [], signal), 'the priority fee')
  const block = await rpc.call('eth_getBlockByNumber', ['latest', false], signal)
  const base = readQuantity(isObject(block) ? block.baseFeePerGas : undefined, 'the base fee')
  return { maxFeePerGas: toQuantity(base * 2n + priority), maxPriorityFeePerGas: toQuantity(priority) }
}
