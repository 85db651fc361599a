// Broadcasts signed transactions, and advises the operator about a transaction that no node accepts. If all nodes
// refuse a transaction, the transaction need not have failed, because some node may have accepted it before. Only a
// block decides whether the transaction was executed.

import { whyOf } from '../../../platform/base/thrown.ts'
import { withChecksum } from '../../toolkit/formats/chain-address.ts'
import type { Head } from './nodes.ts'
import type { SignedTransfer } from './outgoing-records.ts'
import { type Fees, readSignedTransaction } from './signed-transaction.ts'

type Sending = { readonly head: Head; readonly signal: AbortSignal; readonly account: string }

/** The meaning of a node's refusal, which is read from the message, because no error code distinguishes refusals. */
type Meaning =
  /** The node already has the transaction. */
  | 'known'
  /** A block contains this transaction, or another transaction of the account with the same nonce. */
  | 'nonce used'
  | 'no funds'
  /** Another transaction with the same nonce waits in the node's pool, and the new fee is too low to replace it. */
  | 'nonce taken'
  | 'too little gas'
  | 'too low a fee'
  | 'anything else'

const words: readonly (readonly [Meaning, RegExp])[] = [
  ['known', /already ?known|\bknown transaction|already imported|same hash/i],
  ['nonce used', /nonce( is)? too low|old ?nonce/i],
  ['no funds', /insufficient ?funds|enough funds|upfront cost exceeds/i],
  ['nonce taken', /replacement|replace existing/i],
  ['too little gas', /intrinsic gas|gas( is)? too low|requires at least \d+ gas|floor data gas/i],
  ['too low a fee', /underpriced|fee ?too ?low|less than block base fee|below configured minimum/i],
]

function meaningOf(message: string): Meaning {
  return words.find(([, pattern]) => pattern.test(message))?.[0] ?? 'anything else'
}

type Sent = SignedTransfer & {
  readonly fees: Fees
  readonly refusals: readonly string[]
  readonly isTaken: boolean
}

/** The reason why no node accepts a transaction, with the advice for the operator. */
type Untaken = { readonly meaning: Meaning; readonly todo: string }

/**
 * Sends the transactions of a transfer to all working nodes. If all nodes refuse a transaction, returns advice, unless
 * an accepted transaction replaces the refused one or the nonce was used. The caller repeats the call until a
 * transaction is in a block.
 */
export async function broadcast(
  sending: Sending,
  signed: readonly SignedTransfer[],
): Promise<Untaken | undefined> {
  const sent = await Promise.all(signed.map((one) => send(sending, one)))
  // Nodes keep one transaction per nonce. So if a transaction of the transfer with at least the same fees was accepted,
  // a refused one needs no advice.
  const isReplaced = ({ fees }: Sent) => sent.some((other) => other.isTaken && paysAsMuch(other.fees, fees))
  const refused = sent.find((one) => !one.isTaken && !isReplaced(one))
  return refused && todoFor(sending, refused)
}

async function send({ head, signal }: Sending, signed: SignedTransfer): Promise<Sent> {
  const calls = head.nodes.map((rpc) => rpc.call('eth_sendRawTransaction', [signed.raw], signal))
  const answers = await Promise.allSettled(calls)
  const refusals = answers.flatMap((one) => (one.status === 'rejected' ? [whyOf(one.reason)] : []))
  const isTaken =
    refusals.length < answers.length || refusals.some((message) => meaningOf(message) === 'known')
  const fees = readSignedTransaction(signed.raw)?.fees ?? { most: 0n, tip: 0n }
  return { ...signed, fees, refusals, isTaken }
}

/**
 * True if both fees of `one` are at least as high as those of `other`. A node replaces a transaction only if both fees
 * rise. Equal fees occur, for example if the refused transaction had too little gas.
 */
function paysAsMuch(one: Fees, other: Fees): boolean {
  return one.most >= other.most && one.tip >= other.tip
}

/** Returns advice for the operator. Undefined if the nonce was used: the blocks will show by which transaction. */
function todoFor({ account }: Sending, { txHash, nonce, refusals }: Sent): Untaken | undefined {
  const found = refusals.map((message) => ({ message, meaning: meaningOf(message) }))
  if (found.some(({ meaning }) => meaning === 'nonce used')) return undefined
  // If refusals differ, a refusal with its own advice is more helpful than others, such as a time-out.
  const told = found.find(({ meaning }) => meaning !== 'anything else') ?? found[0]
  if (told === undefined) return undefined
  const { message, meaning } = told
  const todo = whatToDo(meaning, { account: withChecksum(account), nonce })
  return { meaning, todo: `no node takes the transaction ${txHash}: ${todo} (${message})` }
}

function whatToDo(
  meaning: Meaning,
  { account, nonce }: { readonly account: string; readonly nonce: number },
): string {
  switch (meaning) {
    case 'no funds':
      return `${account} lacks native coin for it and its fee: fill the account, and it is sent`
    case 'nonce taken':
      return `another transaction of ${account} with nonce ${nonce} waits, and either may count: if that one pays this, let the signer answer with it, else sign this one again with the same nonce and fees that are a fifth higher`
    case 'too little gas':
      return `no block can have it with so little gas: sign it again with nonce ${nonce} and more gas`
    case 'too low a fee':
      return `its fees are too low: wait until the chain is less busy, or sign it again with nonce ${nonce} and higher fees`
    default:
      return `it is sent again in each round, and may still count; sign it again with no other nonce than ${nonce}`
  }
}
