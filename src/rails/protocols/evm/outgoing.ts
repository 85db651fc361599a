// Sends coin through the signer: requests signatures, records and broadcasts signed transactions, and waits until the
// block of a transaction is final. The gateway has no private key.
//
// Invariant: a signed transaction is recorded before it is broadcast, and all transactions of a transfer have the same
// account and nonce. A chain executes at most one transaction per account and nonce. So a transfer pays at most once,
// however often the signer is asked and answers.
import type { ChannelStore } from '../../contract/store.ts'
import { withChecksum } from '../../toolkit/formats/chain-address.ts'
import { broadcast } from './broadcast.ts'
import { type Receipt, readBlock, readReceipt } from './chain.ts'
import { addressTopic, readNumber, readQuantity, TRANSFER_TOPIC, toQuantity } from './hex.ts'
import type { Rpc } from './json-rpc.ts'
import { type Head, MAX_LAG } from './nodes.ts'
import {
  addSigned,
  decideOutgoing,
  findOutgoing,
  firstAnswer,
  listOpen,
  listSigned,
  type OpenTransfer,
  type OutgoingTransfer,
  ownerOf,
  proposeNonce,
  type SignedTransfer,
} from './outgoing-records.ts'
import { readSignedTransaction, type SignedTransaction } from './signed-transaction.ts'
import { callOf, requestOf, type Signer, type SignerAnswer, SignerAway, type SigningJob } from './signer.ts'

type OutgoingJob = SigningJob & {
  readonly store: ChannelStore
  readonly signer: Signer
  readonly final: number
}

/**
 * Runs one round: records the signer's answers, requests the missing signatures, and broadcasts each signed transfer or
 * records its outcome. If there are problems, throws one error that lists them all.
 */
export async function sendOutgoing(job: OutgoingJob): Promise<void> {
  const { signer, store } = job
  const problems: string[] = []
  for (const answer of await signer.answers()) {
    const problem = await takeAnswer(job, answer)
    await signer.finish(answer.id, problem === undefined ? 'done' : 'bad')
    if (problem !== undefined) problems.push(`the signer's answer ${answer.id}: ${problem}`)
  }
  const open = await listOpen(store)
  const asked = await signer.asked()
  const nonces = openNonces(job, open)
  let isAway = false
  for (const transfer of open) {
    const isSigned = transfer.signed.length > 0
    if (!isSigned && (isAway || asked.has(transfer.id))) continue
    const moving = isSigned ? follow(job, transfer, open) : ask(job, transfer, nonces)
    // If a transfer fails, for example for lack of funds, the others go on. If the signer cannot be reached, only the
    // remaining requests for signatures are left out.
    await moving.catch((error: Error) => {
      isAway ||= error instanceof SignerAway
      problems.push(error instanceof SignerAway ? error.message : `${transfer.id}: ${error.message}`)
    })
  }
  if (problems.length > 0) throw new Error(`outgoing transfers need a look: ${problems.join('; ')}`)
}

/** Records the answer. If the answer cannot be used, returns the reason. */
async function takeAnswer(job: OutgoingJob, answer: SignerAnswer): Promise<string | undefined> {
  if (answer.kind === 'malformed') return 'it has neither "raw" nor "refused"'
  const transfer = await findOutgoing(job.store, answer.id)
  if (transfer === undefined) return 'no transfer has this id'
  return answer.kind === 'refused'
    ? takeRefusal(job, transfer, answer.why)
    : takeSigned(job, transfer, answer.raw)
}

async function takeRefusal(
  job: OutgoingJob,
  transfer: OutgoingTransfer,
  why: string,
): Promise<string | undefined> {
  const { store } = job
  const first = await firstAnswer(store, transfer.id, 'refused')
  if (first !== 'refused') {
    const problem = await whyMayCount(job, transfer, first).catch((error: Error) => error.message)
    if (problem !== undefined) return `a transaction was signed before: ${problem}`
  }
  if (transfer.state === 'open') await decideOutgoing(store, transfer, { state: 'failed', why, txHash: '' })
  return undefined
}

/**
 * Returns the reason why a signed transaction has paid or may still pay. Undefined if a final block contains another
 * transaction with the nonce, because the signed transactions can then never pay.
 */
async function whyMayCount(
  job: OutgoingJob,
  transfer: OutgoingTransfer,
  nonce: number,
): Promise<string | undefined> {
  const { head, final, store } = job
  const account = accountOf(job, await listSigned(store, transfer.id))
  // If a lagging machine lacks a block, it returns no receipt, and no error. So the nonce is read at a block that every
  // working machine has.
  const block = Math.max(0, Math.min(final, head.number - MAX_LAG))
  const used = await head.agreed(`the nonce at block ${block}`, (rpc) => countAt(job, rpc, account, block))
  if (used <= nonce)
    return `no final block has another transaction with its nonce ${nonce}, or only one with fewer than ${MAX_LAG} blocks after it`
  // Every working machine has the block of the transaction that used the nonce. So if that transaction is ours, its
  // receipt is found.
  const mined = await findMined(job, { ...transfer, signed: await listSigned(store, transfer.id) })
  return mined && `block ${mined.blockNumber} has it`
}

/**
 * Returns the account that must sign. If the transfer has signatures, it is their account, even if the setting "from"
 * has changed since then. Otherwise it is "from".
 */
function accountOf({ outgoing }: OutgoingJob, [first]: readonly SignedTransfer[]): string {
  return (first && readSignedTransaction(first.raw)?.from) ?? outgoing.from
}

/**
 * Records a signed transaction. If it is not accepted, returns the reason. A further transaction of a transfer, for
 * example with a higher fee, must have the account and the nonce of the first one.
 */
async function takeSigned(
  job: OutgoingJob,
  transfer: OutgoingTransfer,
  raw: string,
): Promise<string | undefined> {
  const { store, settings, outgoing } = job
  const transaction = readSignedTransaction(raw)
  if (transaction === undefined) return 'not a signed transaction of type 2'
  const problem = mismatch(settings, transfer, transaction)
  if (problem !== undefined) return problem
  const { txHash, nonce, from } = transaction
  // Each account has its own nonces, so the chain could execute both transactions if two accounts signed.
  const account = accountOf(job, await listSigned(store, transfer.id))
  if (from !== account && account !== outgoing.from)
    return `signed by ${withChecksum(from)}, but an earlier answer by ${withChecksum(account)}: only that account may sign it again; nothing was sent`
  if (from !== account)
    return `signed by ${withChecksum(from)}, not by ${withChecksum(outgoing.from)}: the signer has another key than "from" of "outgoing" says; nothing was sent`
  // The signer may answer with the transaction of another transfer of the same amount to the same receiver. That
  // transaction pays only one of the two transfers. The check comes before the nonce is recorded, because a recorded
  // nonce never changes.
  const owner = (await ownerOf(store, txHash)) ?? transfer.id
  if (owner !== transfer.id) return `this transaction is already that of ${owner}: sign with another nonce`
  const first = await firstAnswer(store, transfer.id, nonce)
  if (first === 'refused') return 'it was refused before'
  if (first !== nonce) return `an earlier answer has nonce ${first}: sign it again with that nonce only`
  await addSigned(store, transfer.id, { raw, txHash, nonce })
  return undefined
}

/**
 * Returns how the signed transaction differs from the request. Undefined if the difference is only in nonce, gas or
 * fees, which the signer may choose.
 */
function mismatch(
  { chainId }: OutgoingJob['settings'],
  transfer: OutgoingTransfer,
  transaction: SignedTransaction,
): string | undefined {
  const asked = callOf(transfer)
  if (transaction.chainId !== BigInt(chainId)) return `signed for chain ${transaction.chainId}`
  const isSame =
    transaction.to === asked.to && transaction.value === asked.value && transaction.data === asked.data
  return isSame ? undefined : 'it pays something else than was asked for'
}

/**
 * `free` returns and reserves a nonce: the lowest one, beginning with the pending nonce, that no open transfer uses.
 */
type Nonces = { free(): Promise<number> }

function openNonces(job: OutgoingJob, open: readonly OpenTransfer[]): Nonces {
  const { outgoing } = job
  const used = new Set(open.flatMap((one) => noncesOf(job, one, outgoing.from)))
  let next: number | undefined
  return {
    async free() {
      next ??= await pendingCount(job, outgoing.from)
      while (used.has(next)) next += 1
      used.add(next)
      return next
    },
  }
}

/** Requests a signature. The nonce is recorded before the request, so that a repeated request has the same nonce. */
async function ask(job: OutgoingJob, transfer: OpenTransfer, nonces: Nonces): Promise<void> {
  const { id } = transfer
  const nonce = transfer.proposed ?? (await proposeNonce(job.store, id, await nonces.free()))
  await job.signer.ask(id, await requestOf(job, transfer, nonce))
}

/** Broadcasts the transactions of a transfer. Once a final block contains one of them, records the outcome instead. */
async function follow(
  job: OutgoingJob,
  transfer: OpenTransfer,
  open: readonly OpenTransfer[],
): Promise<void> {
  const mined = await findMined(job, transfer)
  if (mined === undefined) {
    const { head, signal } = job
    const account = accountOf(job, transfer.signed)
    const untaken = await broadcast({ head, signal, account }, transfer.signed)
    await checkNonce(job, transfer, open)
    const rivalry = findRivalry(job, transfer, open)
    // If another transfer is signed with the same nonce, the advice to raise the fee is left out, because the two
    // transfers could outbid each other for ever. The message about the other transfer already says that the nonce is
    // taken.
    const isSaid = rivalry !== undefined && untaken?.meaning === 'nonce taken'
    const todos = [isSaid ? undefined : untaken?.todo, rivalry].filter((one) => one !== undefined)
    if (todos.length > 0) throw new Error(todos.join('; '))
    return
  }
  const { txHash, blockNumber, isSuccess, isPaid } = mined
  if (blockNumber > job.final) return
  await checkBlock(job, mined)
  if (!isSuccess) {
    const why = 'The chain reverted the transaction'
    return decideOutgoing(job.store, transfer, { state: 'failed', why, txHash })
  }
  // The transfer stays open, because the coin may have left in another way than requested. If a failure were recorded,
  // the money could be paid a second time.
  if (!isPaid)
    throw new Error(
      `the transaction ${txHash} succeeded, but its receipt lacks the transfer: find out where the coin is`,
    )
  await decideOutgoing(job.store, transfer, { state: 'succeeded', why: '', txHash })
}

/**
 * Throws if the transaction's block is not in the chain. A machine may return receipts of a branch that a reorg has
 * abandoned, and a transaction that failed on that branch may succeed in the chain.
 */
async function checkBlock({ head, signal }: OutgoingJob, { txHash, blockNumber, blockHash }: Mined) {
  const block = await head.agreed(`block ${blockNumber}`, (rpc) => readBlock(rpc, blockNumber, signal))
  if (block.hash !== blockHash)
    throw new Error(`the transaction ${txHash} is in a block ${blockNumber} that is not in the chain`)
}

/**
 * Throws if another transaction has used the nonce, or if no transaction uses an earlier nonce (a gap). In both cases
 * the transfer stays open. If the nonce was used, a wallet may have sent the same payment again with a higher fee,
 * which only the holder of the key knows.
 */
async function checkNonce(
  job: OutgoingJob,
  { signed }: OpenTransfer,
  open: readonly OpenTransfer[],
): Promise<void> {
  const { head } = job
  const [first] = signed
  if (first === undefined) return
  const account = accountOf(job, signed)
  const used = await head.reached((rpc) => countAt(job, rpc, account, head.number))
  if (used > first.nonce)
    throw new Error(
      `another transaction of ${withChecksum(account)} has used the nonce ${first.nonce}: if it paid this, let the signer answer with it, else with "refused"`,
    )
  const isAwaited = (nonce: number) => open.some((one) => noncesOf(job, one, account).includes(nonce))
  if (used === first.nonce || isAwaited(used)) return
  const next = await pendingCount(job, account)
  if (next < first.nonce && !isAwaited(next))
    throw new Error(
      `its nonce ${first.nonce} waits for the nonce ${next} of ${withChecksum(account)}, which nothing uses: send any transaction with that nonce from the account, such as one of nothing to itself`,
    )
}

/**
 * Returns advice if another open transfer is signed with the same account and nonce: nodes keep only the transaction
 * with the higher fee.
 */
function findRivalry(
  job: OutgoingJob,
  { id, signed }: OpenTransfer,
  open: readonly OpenTransfer[],
): string | undefined {
  const account = accountOf(job, signed)
  const isSame = ({ nonce }: SignedTransfer) => nonce === signed[0]?.nonce
  const rival = open.find(
    (one) => one.id !== id && accountOf(job, one.signed) === account && one.signed.some(isSame),
  )
  return (
    rival &&
    `its nonce ${signed[0]?.nonce} is also that of ${rival.id}, so that only one of them can count: once a final block has one, let the signer answer "refused" for the other`
  )
}

/**
 * Returns the signed nonces, or else the proposed nonce. Empty if there is none, or if another account pays the
 * transfer.
 */
function noncesOf(job: OutgoingJob, { proposed, signed }: OpenTransfer, account: string): readonly number[] {
  if (accountOf(job, signed) !== account) return []
  const nonces = signed.map(({ nonce }) => nonce)
  return nonces.length > 0 || proposed === undefined ? nonces : [proposed]
}

/** Returns the number of the account's transactions up to the block. This number is also the account's next nonce. */
async function countAt({ signal }: OutgoingJob, rpc: Rpc, account: string, block: number): Promise<number> {
  const params = [account, toQuantity(block)]
  return readNumber(await rpc.call('eth_getTransactionCount', params, signal), 'the nonce')
}

/** Returns the next nonce after the transactions that wait in a node's pool. */
function pendingCount({ head, signal }: OutgoingJob, account: string): Promise<number> {
  return head.any(async (rpc) => {
    const params = [account, 'pending']
    return readNumber(await rpc.call('eth_getTransactionCount', params, signal), 'the nonce')
  })
}

type Mined = Pick<Receipt, 'blockHash' | 'blockNumber' | 'isSuccess'> & {
  readonly txHash: string
  readonly isPaid: boolean
}

type Sent = OutgoingTransfer & Pick<OpenTransfer, 'signed'>

type Looking = { readonly head: Head; readonly signal: AbortSignal }

/** Returns the transfer's first transaction that is in a block. */
async function findMined({ head, signal }: Looking, transfer: Sent): Promise<Mined | undefined> {
  for (const { txHash } of transfer.signed) {
    const { found } = await head.agreed(`the transaction ${txHash}`, async (rpc) => {
      const receipt = await readReceipt(rpc, txHash, signal)
      return { found: receipt && toMined(receipt, txHash, transfer) }
    })
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Returns the part of a receipt on which nodes must agree. The logs are left out, because node software differs in
 * their form.
 */
function toMined(receipt: Receipt, txHash: string, transfer: OutgoingTransfer): Mined {
  const { blockHash, blockNumber, isSuccess } = receipt
  const isPaid = isSuccess && (transfer.token === 'native' || hasTransfer(receipt, transfer))
  return { txHash, blockHash, blockNumber, isSuccess, isPaid }
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
