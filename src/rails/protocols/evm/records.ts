// The records of a channel. A `charge` is one payment: its address and the requested amount. A transfer to that address
// is recorded as `seen` until its block is final, and then as `transfer`. Only a `transfer` counts as money.
import type { Fields } from '../../../platform/base/object.ts'
import { assert } from '../../../platform/errors/catalogue.ts'
import type { ChannelRecord, ChannelStore, RecordChange, RecordKey } from '../../contract/store.ts'
import type { FoundTransfer } from './chain.ts'
import type { EvmCoin } from './settings.ts'

export type Charge = {
  readonly reference: string
  readonly coin: string
  /** The index of the address in the account's address book. */
  readonly index: number
  readonly address: string
  /** The requested amount in the coin's smallest unit. Zero if the payment was cancelled before it was opened. */
  readonly units: bigint
  readonly amount: bigint
  readonly currency: string
  readonly isCancelled: boolean
}

export type StoredTransfer = FoundTransfer & {
  readonly reference: string
  /** The time of the block. This field and the following fields are undefined until the block is final. */
  readonly at?: Date
  /** The position of the log in its transaction, which does not depend on the block. Undefined for the native coin. */
  readonly place?: number
  readonly gasFee?: bigint
  /**
   * Set if the first reading missed the transfer. The number is the last final block at the time when the transfer was
   * found.
   */
  readonly countedAfter?: number
}

export type Watched = { readonly reference: string; readonly address: string; readonly key: string }

export type Progress = {
  /** The chain that was read. Undefined in records of earlier versions. */
  readonly chainId: number | undefined
  /** The keys (`coinKey`) of the coins that were read. Undefined in records of earlier versions. */
  readonly coins: readonly string[] | undefined
  /** The last block whose transfers count. */
  readonly final: number
  /** The highest block that the nodes have returned since the last reorg of final blocks. */
  readonly head: number
  /** The time, by our clock, when the chain was last read up to a current head. */
  readonly readAt: Date
}

export const PROGRESS: RecordKey = { kind: 'progress', key: 'chain' }

const DIGITS = 12

export function blockKey(number: number): string {
  return String(number).padStart(DIGITS, '0')
}

/** Returns the key of a transfer. Keys sort by block, so that transfers are added up in the order of their blocks. */
export function transferKey({ block, logIndex, txHash }: FoundTransfer): string {
  return `${blockKey(block)}-${logIndex === undefined ? 'value' : blockKey(logIndex)}-${txHash}`
}

export function toCharge(charge: Charge): ChannelRecord {
  const { reference, units, amount, ...rest } = charge
  return {
    kind: 'charge',
    key: reference,
    reference,
    body: { ...rest, units: units.toString(), amount: amount.toString() },
  }
}

function readCharge({ key, body }: ChannelRecord): Charge {
  return {
    reference: key,
    coin: text(body, 'coin'),
    index: number(body, 'index'),
    address: text(body, 'address'),
    units: BigInt(text(body, 'units')),
    amount: BigInt(text(body, 'amount')),
    currency: text(body, 'currency'),
    isCancelled: body.isCancelled === true,
  }
}

export async function findCharge(store: ChannelStore, reference: string): Promise<Charge | undefined> {
  const record = await store.find({ kind: 'charge', key: reference })
  return record && readCharge(record)
}

/**
 * Returns the record of a watch on the charge's address. The key begins with the end of the watch, so that lists are
 * sorted by that time.
 */
export function toWatch({ reference, address }: Charge, until: Date): ChannelRecord {
  return { kind: 'watch', key: `${until.toISOString()} ${reference}`, reference, body: { address } }
}

export function readWatch({ key, reference, body }: ChannelRecord): Watched {
  assert(reference !== undefined, 'a watched address belongs to a payment')
  return { reference, key, address: text(body, 'address').toLowerCase() }
}

export function toTransfer(kind: 'seen' | 'transfer', transfer: StoredTransfer): ChannelRecord {
  const { reference, units, at, gasFee, ...rest } = transfer
  const body = {
    ...rest,
    units: units.toString(),
    ...(at !== undefined && { at: at.toISOString() }),
    ...(gasFee !== undefined && { gasFee: gasFee.toString() }),
  }
  return { kind, key: transferKey(transfer), reference, body }
}

export function readTransfer({ reference, body }: ChannelRecord): StoredTransfer {
  assert(reference !== undefined, 'a transfer belongs to a payment')
  return {
    reference,
    txHash: text(body, 'txHash'),
    logIndex: body.logIndex === undefined ? undefined : number(body, 'logIndex'),
    token: text(body, 'token'),
    from: text(body, 'from'),
    to: text(body, 'to'),
    units: BigInt(text(body, 'units')),
    block: number(body, 'block'),
    blockHash: text(body, 'blockHash'),
    ...(typeof body.at === 'string' && { at: new Date(body.at) }),
    ...(typeof body.place === 'number' && { place: body.place }),
    ...(typeof body.gasFee === 'string' && { gasFee: BigInt(body.gasFee) }),
    ...(typeof body.countedAfter === 'number' && { countedAfter: body.countedAfter }),
  }
}

/** Returns a key that changes if the coin's contract or decimals change. */
export function coinKey({ name, token, decimals }: EvmCoin): string {
  return `${name} ${token} ${decimals.chain}`
}

export function putProgress({ readAt, ...progress }: Progress): RecordChange {
  return { put: { ...PROGRESS, body: { ...progress, readAt: readAt.toISOString() } } }
}

export async function findProgress(store: ChannelStore): Promise<Progress | undefined> {
  const record = await store.find(PROGRESS)
  if (record === undefined) return undefined
  const { body } = record
  return {
    chainId: body.chainId === undefined ? undefined : number(body, 'chainId'),
    coins: Array.isArray(body.coins) ? body.coins.map(String) : undefined,
    final: number(body, 'final'),
    head: number(body, 'head'),
    readAt: new Date(text(body, 'readAt')),
  }
}

/**
 * True if the progress is of this chain. Records of earlier versions have no chain id, and count as records of this
 * chain.
 */
export function isOfChain(progress: Progress, { chainId }: { readonly chainId: number }): boolean {
  return progress.chainId === undefined || progress.chainId === chainId
}

export function text(body: Fields, name: string): string {
  const value = body[name]
  assert(typeof value === 'string', `a record of the chain has the text ${name}`)
  return value
}

export function number(body: Fields, name: string): number {
  const value = body[name]
  assert(typeof value === 'number', `a record of the chain has the number ${name}`)
  return value
}
