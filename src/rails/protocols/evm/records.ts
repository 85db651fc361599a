// What a chain's channel remembers. A charge is one payment: its address and what it asks for. Transfers to its address are
// `seen` until their block is final, and `transfer` from then on; only the latter are money.
import type { Fields } from '../../base/object.ts'
import { assert } from '../../errors/catalogue.ts'
import type { ChannelRecord, ChannelStore, RecordChange, RecordKey } from '../store.ts'
import type { FoundTransfer } from './chain.ts'
import type { EvmCoin } from './evm-settings.ts'

export type Charge = {
  readonly reference: string
  readonly coin: string
  /** Its address in the account. */
  readonly index: number
  readonly address: string
  /** The requested amount in the coin's smallest unit; zero if it was cancelled before it was opened. */
  readonly units: bigint
  readonly amount: bigint
  readonly currency: string
  readonly isCancelled: boolean
}

/** A transfer in a block. */
export type StoredTransfer = FoundTransfer & {
  readonly reference: string
  /** Undefined until its block is final, as all that follow. */
  readonly at?: Date
  /** The position of its log in the transaction, which no other block can change; undefined for the native coin. */
  readonly place?: number
  readonly gasFee?: bigint
  /** Of a transfer that only the second reading of logs found: the last block whose transfers counted before it. */
  readonly countedAfter?: number
}

/** An address whose transfers are looked for. */
export type Watched = { readonly reference: string; readonly address: string; readonly key: string }

/** How far the chain was read. */
export type Progress = {
  /** Undefined in records of versions that did not store it. */
  readonly chainId: number | undefined
  /** What it was read for, with the decimals that the contracts have. Undefined in the same way: a node of such a version may read on for long. */
  readonly coins: readonly string[] | undefined
  /** The last block whose transfers count. */
  readonly final: number
  readonly head: number
  /** By our clock. */
  readonly readAt: Date
}

export const PROGRESS: RecordKey = { kind: 'progress', key: 'chain' }

const DIGITS = 12

export function blockKey(number: number): string {
  return String(number).padStart(DIGITS, '0')
}

/** In the order of the chain, so that transfers add up in the order in which they came. */
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

export function readCharge({ key, body }: ChannelRecord): Charge {
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

/** Keys begin with the end of the watch, so that the list begins with addresses that nobody needs any more. */
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

/** Of a coin in the progress. */
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

/** A record without a chain is taken for one of this chain; the next round adds the chain. */
export function isOfChain(progress: Progress, { chainId }: { readonly chainId: number }): boolean {
  return progress.chainId === undefined || progress.chainId === chainId
}

function text(body: Fields, name: string): string {
  const value = body[name]
  assert(typeof value === 'string', `a record of the chain has the text ${name}`)
  return value
}

function number(body: Fields, name: string): number {
  const value = body[name]
  assert(typeof value === 'number', `a record of the chain has the number ${name}`)
  return value
}
