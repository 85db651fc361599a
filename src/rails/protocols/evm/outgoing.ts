// Sends coin through the signer: asks for signatures, records and broadcasts what was signed, and waits until its block is
// final. The gateway has no key.
//
// Invariant: a signed transaction is recorded before it is broadcast, and a transfer accepts transactions of one account and nonce only.
// So however often the signer is asked and answers, the coin leaves once.
import { withChecksum } from '../crypto/address.ts'
import type { ChannelStore } from '../store.ts'
import { broadcast } from './broadcast.ts'
import { readBlock } from './chain.ts'
import { readNumber, toQuantity } from './hex.ts'
import type { Rpc } from './json-rpc.ts'
import { findMined, type Mined } from './mined.ts'
import { MAX_LAG } from './newest-block.ts'
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
import { type Signer, type SignerAnswer, SignerAway } from './signer.ts'
import { callOf, requestOf, type SigningJob } from './signer-request.ts'

export type OutgoingJob = SigningJob & {
  readonly store: ChannelStore
  readonly signer: Signer
  /** The last final block. */
  readonly final: number
}

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
    // One without funds, say, does not keep the others.
    await moving.catch((error: Error) => {
      isAway ||= error instanceof SignerAway
      problems.push(error instanceof SignerAway ? error.message : `${transfer.id}: ${error.message}`)
    })
  }
  if (problems.length > 0) throw new Error(`outgoing transfers need a look: ${problems.join('; ')}`)
}

/** Returns why the answer cannot be used. */
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
 * Why a transaction that was signed may still pay, or has; undefined if it never can, because a final block has another one with its
 * nonce.
 */
async function whyMayCount(
  job: OutgoingJob,
  transfer: OutgoingTransfer,
  nonce: number,
): Promise<string | undefined> {
  const { head, final, store } = job
  const account = accountOf(job, await listSigned(store, transfer.id))
  // Machines behind a node's address lag: one that does not have the block yet knows no receipt, and does not say why. All have this one.
  const block = Math.max(0, Math.min(final, head.number - MAX_LAG))
  const used = await head.agreed(`the nonce at block ${block}`, (rpc) => countAt(job, rpc, account, block))
  if (used <= nonce)
    return `no final block has another one with its nonce ${nonce}, or one only for less than ${MAX_LAG} blocks`
  // After the count: what used the nonce is in a block that these nodes have.
  const mined = await findMined(job, { ...transfer, signed: await listSigned(store, transfer.id) })
  return mined && `block ${mined.blockNumber} has it`
}

/** The account of a transfer: the one that signed it first, for "from" of the settings may have changed since. */
function accountOf({ outgoing }: OutgoingJob, [first]: readonly SignedTransfer[]): string {
  return (first && readSignedTransaction(first.raw)?.from) ?? outgoing.from
}

/** A second transaction, with a higher fee perhaps, must have the account and the nonce of the first. */
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
  // Another account's nonces say nothing about ours: broadcast, it would not bar a second transaction, of the right key.
  const account = accountOf(job, await listSigned(store, transfer.id))
  if (from !== account && account !== outgoing.from)
    return `signed by ${withChecksum(from)}, but an earlier answer by ${withChecksum(account)}: only that account may sign it again; nothing was sent`
  if (from !== account)
    return `signed by ${withChecksum(from)}, not by ${withChecksum(outgoing.from)}: the signer has another key than "from" of "outgoing" says; nothing was sent`
  // Before its nonce is taken as that of this transfer: another one that pays the same may have it, and it pays once.
  const owner = (await ownerOf(store, txHash)) ?? transfer.id
  if (owner !== transfer.id) return `this transaction is already that of ${owner}: sign with another nonce`
  const first = await firstAnswer(store, transfer.id, nonce)
  if (first === 'refused') return 'it was refused before'
  if (first !== nonce) return `an earlier answer has nonce ${first}: sign it again with that nonce only`
  await addSigned(store, transfer.id, { raw, txHash, nonce })
  return undefined
}

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

/** Gives the first nonce that no open transfer uses: it also fills the gap that a refusal left. */
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

/** The nonce is recorded first, so that a transfer that is asked for again has the same one. */
async function ask(job: OutgoingJob, transfer: OpenTransfer, nonces: Nonces): Promise<void> {
  const { id } = transfer
  const nonce = transfer.proposed ?? (await proposeNonce(job.store, id, await nonces.free()))
  await job.signer.ask(id, await requestOf(job, transfer, nonce))
}

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
    // That its nonce is taken is known then, and to raise the fee of each in turn would settle nothing.
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
  // The coin may have left, if not as it was asked for: a failure would pay it a second time.
  if (!isPaid)
    throw new Error(
      `the transaction ${txHash} succeeded, but its receipt lacks the transfer: find out where the coin is`,
    )
  await decideOutgoing(job.store, transfer, { state: 'succeeded', why: '', txHash })
}

/** A machine that stands on a branch which the chain left has receipts, too. What failed there may pay in the chain. */
async function checkBlock({ head, signal }: OutgoingJob, { txHash, blockNumber, blockHash }: Mined) {
  const block = await head.agreed(`block ${blockNumber}`, (rpc) => readBlock(rpc, blockNumber, signal))
  if (block.hash !== blockHash)
    throw new Error(`the transaction ${txHash} is in a block ${blockNumber} that is not in the chain`)
}

/**
 * Throws if another transaction of the account has used the nonce, or if nobody will use an earlier one. Nothing is decided: the other
 * one may be the same payment with a higher fee, which a wallet sent on its own. Whoever has the key knows.
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

/** What to do if the signer gave another transfer the same nonce. Nodes keep the one that pays more. */
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

/** What the transfer will use of an account's nonces: what was signed, else what was proposed. */
function noncesOf(job: OutgoingJob, { proposed, signed }: OpenTransfer, account: string): readonly number[] {
  if (accountOf(job, signed) !== account) return []
  const nonces = signed.map(({ nonce }) => nonce)
  return nonces.length > 0 || proposed === undefined ? nonces : [proposed]
}

/** How many transactions the account has sent, up to a block. */
async function countAt({ signal }: OutgoingJob, rpc: Rpc, account: string, block: number): Promise<number> {
  const params = [account, toQuantity(block)]
  return readNumber(await rpc.call('eth_getTransactionCount', params, signal), 'the nonce')
}

/** With those that wait at a node. */
function pendingCount({ head, signal }: OutgoingJob, account: string): Promise<number> {
  return head.any(async (rpc) => {
    const params = [account, 'pending']
    return readNumber(await rpc.call('eth_getTransactionCount', params, signal), 'the nonce')
  })
}
