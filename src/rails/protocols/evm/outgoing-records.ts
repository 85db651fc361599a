// The records of outgoing transfers, which pay refunds and payouts:
//   outgoing  the transfer and its outcome; never deleted
//   to-send   an index of the transfers without an outcome
//   nonce     the nonce that we proposed to the signer
//   answer    the signer's first answer: a nonce, or a refusal
//   signed    a signed transaction; its key is the transaction's hash
//
// Invariant: records of the kinds nonce, answer and signed are added and never changed. So processes that work at the
// same time propose the same nonce, accept the same nonce, and lose no signed transaction.
import { assert } from '../../../platform/errors/catalogue.ts'
import type { ChannelRecord, ChannelStore, RecordChange } from '../../contract/store.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { number, text } from './records.ts'

export type OutgoingTransfer = {
  /** Our reference of the refund or payout. */
  readonly id: string
  readonly purpose: 'refund' | 'payout'
  /** The reference of the refunded payment, or of the payout itself. */
  readonly reference: string
  readonly coin: string
  readonly token: string
  /** The receiver's address, in lower case. */
  readonly to: string
  readonly units: bigint
  /** The units' value in the currency of the payment or payout. */
  readonly amount: bigint
  readonly currency: string
  readonly state: 'open' | 'succeeded' | 'failed'
  /** The reason for a failure. '' if the transfer has not failed. */
  readonly why: string
  /** The hash of the executed transaction. '' until its block is final, and if no transaction was executed. */
  readonly txHash: string
}

/** A transfer without an outcome. All its transactions have the same nonce, so at most one of them can be executed. */
export type OpenTransfer = OutgoingTransfer & {
  readonly proposed: number | undefined
  readonly signed: readonly SignedTransfer[]
}

export type SignedTransfer = { readonly raw: string; readonly txHash: string; readonly nonce: number }

const states = ['open', 'succeeded', 'failed'] as const

/** Returns an open transfer, before any signature is requested. */
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
    proposed: nonce && number(nonce.body, 'nonce'),
    signed: await listSigned(store, id),
  }
}

export async function listSigned(store: ChannelStore, id: string): Promise<SignedTransfer[]> {
  return (await store.listOf('signed', id)).map(({ key, body }) => {
    return { raw: text(body, 'raw'), txHash: key, nonce: number(body, 'nonce') }
  })
}

export async function ownerOf(store: ChannelStore, txHash: string): Promise<string | undefined> {
  return (await store.find({ kind: 'signed', key: txHash }))?.reference
}

export function addOutgoing(transfer: OutgoingTransfer): RecordChange[] {
  const added: RecordChange = { add: toRecord(transfer) }
  const { id, state } = transfer
  return state === 'open' ? [added, { add: { kind: 'to-send', key: id, body: {} } }] : [added]
}

/** Records the outcome of the transfer. The same write schedules a query of the refund or payout. */
export async function decideOutgoing(
  store: ChannelStore,
  transfer: OutgoingTransfer,
  end: Pick<OutgoingTransfer, 'state' | 'why' | 'txHash'>,
): Promise<void> {
  const { id } = transfer
  const ended = { ...transfer, ...end }
  await store.write([{ put: toRecord(ended) }, { remove: { kind: 'to-send', key: id } }], [id])
}

/** Records the nonce, unless the transfer already has one. Returns the recorded nonce. */
export async function proposeNonce(store: ChannelStore, id: string, nonce: number): Promise<number> {
  const key = { kind: 'nonce', key: id }
  await store.write([{ add: { ...key, body: { nonce } } }])
  const stored = await store.find(key)
  return stored === undefined ? nonce : number(stored.body, 'nonce')
}

/** Records the answer, unless the transfer already has one. Returns the recorded answer. */
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

/**
 * Records a signed transaction. The same write schedules a query of the refund or payout, so that the page of a payout
 * shows the transaction.
 */
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
