// Coin that leaves: one record for each refund, kept for good, and an index of those that are not decided.
import type { Fields } from '../../base/object.ts'
import { assert } from '../../errors/catalogue.ts'
import type { ChannelRecord, ChannelStore, RecordChange } from '../store.ts'

export type OutgoingTransfer = {
  /** Our reference of the refund. */
  readonly id: string
  /** The payment that it belongs to. */
  readonly reference: string
  readonly coin: string
  readonly token: string
  /** In lower case. */
  readonly to: string
  readonly units: bigint
  /** Its value in the payment's currency. */
  readonly amount: bigint
  readonly currency: string
  /** waiting: the signer has not answered. sent: the transaction is signed, and any node may include it in a block. */
  readonly state: 'waiting' | 'sent' | 'succeeded' | 'failed'
  /** Why it failed; '' otherwise. */
  readonly why: string
  /** The nonce that we proposed to the signer; undefined until then. */
  readonly proposed: number | undefined
  /** Signed transactions with one nonce, so that at most one of them can ever count. */
  readonly signed: readonly SignedTransfer[]
}

export type SignedTransfer = { readonly raw: string; readonly txHash: string; readonly nonce: number }

const states = ['waiting', 'sent', 'succeeded', 'failed'] as const

export async function findOutgoing(store: ChannelStore, id: string): Promise<OutgoingTransfer | undefined> {
  const record = await store.find({ kind: 'outgoing', key: id })
  return record && readOutgoing(record)
}

export async function listOutgoing(store: ChannelStore, reference: string): Promise<OutgoingTransfer[]> {
  return (await store.listOf('outgoing', reference)).map(readOutgoing)
}

export function addOutgoing(transfer: OutgoingTransfer): RecordChange[] {
  return [{ add: toRecord(transfer) }, { add: { kind: 'to-send', key: transfer.id, body: {} } }]
}

export function putOutgoing(transfer: OutgoingTransfer): RecordChange[] {
  const isOpen = transfer.state === 'waiting' || transfer.state === 'sent'
  const change: RecordChange = { put: toRecord(transfer) }
  return isOpen ? [change] : [change, { remove: { kind: 'to-send', key: transfer.id } }]
}

function toRecord({ id, reference, units, amount, ...rest }: OutgoingTransfer): ChannelRecord {
  const body = { ...rest, units: units.toString(), amount: amount.toString() }
  return { kind: 'outgoing', key: id, reference, body }
}

function readOutgoing({ key, reference, body }: ChannelRecord): OutgoingTransfer {
  const state = states.find((one) => one === body.state)
  assert(reference !== undefined && state !== undefined, 'an outgoing transfer has a payment and a state')
  const { signed } = body
  assert(Array.isArray(signed), 'an outgoing transfer lists what was signed')
  return {
    id: key,
    reference,
    coin: text(body, 'coin'),
    token: text(body, 'token'),
    to: text(body, 'to'),
    units: BigInt(text(body, 'units')),
    amount: BigInt(text(body, 'amount')),
    currency: text(body, 'currency'),
    state,
    why: text(body, 'why'),
    proposed: typeof body.proposed === 'number' ? body.proposed : undefined,
    signed: signed.map(readSigned),
  }
}

function readSigned(value: Fields): SignedTransfer {
  return { raw: text(value, 'raw'), txHash: text(value, 'txHash'), nonce: Number(value.nonce) }
}

function text(body: Fields, name: string): string {
  const value = body[name]
  assert(typeof value === 'string', `an outgoing transfer has the text ${name}`)
  return value
}
