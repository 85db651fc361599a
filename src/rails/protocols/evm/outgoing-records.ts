// Coin that leaves, for a refund or a payout. Records:
//   outgoing  what is to be paid, and how it ended; kept for good
//   to-send   an index of those that are not decided
//   nonce     the nonce that we proposed to the signer
//   answer    the signer's first answer: a nonce, or a refusal
//   signed    signed transactions, by hash
//
// Invariant: the last three are added and never changed. So two nodes that work at the same time propose one nonce, accept one
// nonce, and lose no signed transaction.
import type { Fields } from '../../base/object.ts'
import { assert } from '../../errors/catalogue.ts'
import { listAll } from '../list-all.ts'
import type { ChannelRecord, ChannelStore, RecordChange } from '../store.ts'

export type OutgoingTransfer = {
  /** Our reference of the refund or payout. */
  readonly id: string
  readonly purpose: 'refund' | 'payout'
  /** The payment of a refund, or the payout itself. */
  readonly reference: string
  readonly coin: string
  readonly token: string
  /** In lower case. */
  readonly to: string
  readonly units: bigint
  /** Its value in the currency of the payment or payout. */
  readonly amount: bigint
  readonly currency: string
  readonly state: 'open' | 'succeeded' | 'failed'
  /** Why it failed; '' otherwise. */
  readonly why: string
  /** The transaction in a final block; '' until then. */
  readonly txHash: string
}

/** One that is not decided. Its transactions have one nonce, so at most one of them can ever count. */
export type OpenTransfer = OutgoingTransfer & {
  readonly proposed: number | undefined
  readonly signed: readonly SignedTransfer[]
}

export type SignedTransfer = { readonly raw: string; readonly txHash: string; readonly nonce: number }

const states = ['open', 'succeeded', 'failed'] as const

/** A transfer that nobody has asked the signer for yet. */
export function newOutgoing(planned: Omit<OutgoingTransfer, 'state' | 'why' | 'txHash'>): OutgoingTransfer {
  return { ...planned, state: 'open', why: '', txHash: '' }
}

export async function findOutgoing(store: ChannelStore, id: string): Promise<OutgoingTransfer | undefined> {
  const record = await store.find({ kind: 'outgoing', key: id })
  return record && readOutgoing(record)
}

export async function listOutgoing(store: ChannelStore, reference: string): Promise<OutgoingTransfer[]> {
  return (await store.listOf('outgoing', reference)).map(readOutgoing)
}

export async function listOpen(store: ChannelStore): Promise<OpenTransfer[]> {
  const open: OpenTransfer[] = []
  for (const { key } of await listAll(store, 'to-send')) {
    const transfer = await findOutgoing(store, key)
    if (transfer?.state === 'open') open.push({ ...transfer, ...(await progressOf(store, key)) })
  }
  return open
}

async function progressOf(store: ChannelStore, id: string) {
  const nonce = await store.find({ kind: 'nonce', key: id })
  return {
    proposed: nonce && numberIn(nonce.body, 'nonce'),
    signed: await listSigned(store, id),
  }
}

export async function listSigned(store: ChannelStore, id: string): Promise<SignedTransfer[]> {
  return (await store.listOf('signed', id)).map(({ key, body }) => {
    return { raw: text(body, 'raw'), txHash: key, nonce: numberIn(body, 'nonce') }
  })
}

/** The transfer that a signed transaction was recorded for. */
export async function ownerOf(store: ChannelStore, txHash: string): Promise<string | undefined> {
  return (await store.find({ kind: 'signed', key: txHash }))?.reference
}

export function addOutgoing(transfer: OutgoingTransfer): RecordChange[] {
  const added: RecordChange = { add: toRecord(transfer) }
  const { id, state } = transfer
  return state === 'open' ? [added, { add: { kind: 'to-send', key: id, body: {} } }] : [added]
}

/** With the reference, which is then asked about. */
export async function decideOutgoing(
  store: ChannelStore,
  transfer: OutgoingTransfer,
  end: Pick<OutgoingTransfer, 'state' | 'why' | 'txHash'>,
): Promise<void> {
  const { id } = transfer
  const ended = { ...transfer, ...end }
  await store.write([{ put: toRecord(ended) }, { remove: { kind: 'to-send', key: id } }], [id])
}

/** The first proposal stays: returns it. */
export async function proposeNonce(store: ChannelStore, id: string, nonce: number): Promise<number> {
  const key = { kind: 'nonce', key: id }
  await store.write([{ add: { ...key, body: { nonce } } }])
  const stored = await store.find(key)
  return stored === undefined ? nonce : numberIn(stored.body, 'nonce')
}

/** The first answer stays: returns it. */
export async function firstAnswer(
  store: ChannelStore,
  id: string,
  answer: number | 'refused',
): Promise<number | 'refused'> {
  const key = { kind: 'answer', key: id }
  await store.write([{ add: { ...key, body: answer === 'refused' ? {} : { nonce: answer } } }])
  const stored = await store.find(key)
  const nonce = stored?.body.nonce
  return typeof nonce === 'number' ? nonce : 'refused'
}

/** The reference is asked about, so that its page shows the transaction. */
export async function addSigned(
  store: ChannelStore,
  id: string,
  { raw, txHash, nonce }: SignedTransfer,
): Promise<void> {
  await store.write([{ add: { kind: 'signed', key: txHash, reference: id, body: { raw, nonce } } }], [id])
}

function toRecord({ id, reference, units, amount, ...rest }: OutgoingTransfer): ChannelRecord {
  const body = { ...rest, units: units.toString(), amount: amount.toString() }
  return { kind: 'outgoing', key: id, reference, body }
}

function readOutgoing({ key, reference, body }: ChannelRecord): OutgoingTransfer {
  const state = states.find((one) => one === body.state)
  assert(reference !== undefined && state !== undefined, 'an outgoing transfer has a reference and a state')
  return {
    id: key,
    purpose: body.purpose === 'payout' ? 'payout' : 'refund',
    reference,
    coin: text(body, 'coin'),
    token: text(body, 'token'),
    to: text(body, 'to'),
    units: BigInt(text(body, 'units')),
    amount: BigInt(text(body, 'amount')),
    currency: text(body, 'currency'),
    state,
    why: text(body, 'why'),
    txHash: text(body, 'txHash'),
  }
}

function text(body: Fields, name: string): string {
  const value = body[name]
  assert(typeof value === 'string', `an outgoing transfer has the text ${name}`)
  return value
}

function numberIn(body: Fields, name: string): number {
  const value = body[name]
  assert(typeof value === 'number', `an outgoing transfer has the number ${name}`)
  return value
}
