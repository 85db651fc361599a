// Sends queued transfers: up to MAX_TRANSFERS become one message, and each message becomes one file in `out`.
//
// Invariant: every ordered transfer ends up in exactly one message, and the file of every message appears in `out`
// exactly once, even if a process dies at any point or two gateways work at the same time. Each step is idempotent, and
// a round begins with the first message that has not completed step 6.
//
// 1. A record `message` with the next number and the transfers is added. If two gateways add the same number, the first
//    record counts.
// 2. The fact `filed` is added to each transfer, and the transfers leave the queue. The next message is made only after
//    this step, and never contains a filed transfer.
// 3. The file is written to disk under a unique temporary name.
// 4. A record `release` with the temporary name is added. If two gateways add it, the first record counts, and the
//    other temporary file is never used.
// 5. The temporary file is renamed to the message's id. If the temporary file is missing, it was already renamed, and
//    the bank's client may already have taken it.
// 6. The record `next` is set to the next number, and the beneficiaries are removed from the record of the message.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../platform/base/clock.ts'
import { localDay } from '../../../platform/base/local-day.ts'
import { isObject, textIn } from '../../../platform/base/object.ts'
import { assert } from '../../../platform/errors/catalogue.ts'
import type { ChannelRecord, ChannelStore } from '../../contract/store.ts'
import { removeTemporary, renameOnce, writeDurably } from './files.ts'
import { type OurAccount, type PaymentMessage, type TransferLine, writePain001 } from './pain-001.ts'
import { channelDigits } from './payment-reference.ts'
import { factOf, QUEUE, readTransfer } from './transfers.ts'

export type SendDeps = {
  readonly store: ChannelStore
  readonly clock: Clock
  readonly channel: string
  readonly account: OurAccount
  readonly isInstant: boolean
  /** The bank's client takes our files from this folder. */
  readonly out: string
}

/** A message with its transfers. `lines` is empty once the file is released. */
type StoredMessage = PaymentMessage & {
  readonly number: number
  readonly references: readonly string[]
}

const MAX_TRANSFERS = 200
/** The time zone of the execution day, which banks compare with the current day of TARGET, the euro payment system. */
const BANKING_TIMEZONE = 'Europe/Brussels'
const NUMBER_LENGTH = 9
const nextKey = { kind: 'next', key: 'message' }

export async function sendRound(deps: SendDeps, signal: AbortSignal): Promise<void> {
  for (let number = await readNext(deps.store); !signal.aborted; number++) {
    const message = (await findMessage(deps.store, number)) ?? (await compose(deps, number))
    if (message === undefined) return
    await file(deps, message)
    await release(deps, message)
    await finish(deps.store, message)
  }
}

async function readNext(store: ChannelStore): Promise<number> {
  const number = (await store.find(nextKey))?.body.number
  return typeof number === 'number' ? number : 0
}

/** Makes a message with the queued transfers and stores it. Undefined if no transfer is queued. */
async function compose(deps: SendDeps, number: number): Promise<StoredMessage | undefined> {
  const waiting = await deps.store.list(QUEUE, { limit: MAX_TRANSFERS })
  if (waiting.length === 0) return undefined
  const lines: TransferLine[] = []
  for (const record of waiting) if (await isUnfiled(deps.store, record)) lines.push(toLine(record))
  if (lines.length === 0) {
    await deps.store.write(waiting.map(({ kind, key }) => ({ remove: { kind, key } })))
    return compose(deps, number)
  }
  await deps.store.write([{ add: toRecord(newMessage(deps, number, lines)) }])
  // Another gateway may have stored its message under this number first.
  return findMessage(deps.store, number)
}

/**
 * True if no message contains the transfer. If two concurrent calls order a transfer, the second call may queue it
 * again after it was filed.
 */
async function isUnfiled(store: ChannelStore, { key }: ChannelRecord): Promise<boolean> {
  const transfer = await readTransfer(store, key)
  return transfer !== undefined && transfer.facts.filed === undefined
}

function newMessage(deps: SendDeps, number: number, lines: readonly TransferLine[]): StoredMessage {
  const now = deps.clock.now()
  const createdAt = `${now.toISOString().slice(0, 19)}Z`
  const moment = createdAt.replace(/\D/g, '')
  return {
    number,
    id: `TG${channelDigits(deps.channel)}-${moment}-${String(number).padStart(NUMBER_LENGTH, '0')}`,
    createdAt,
    executionDay: localDay(now, BANKING_TIMEZONE),
    isInstant: deps.isInstant,
    references: lines.map(({ reference }) => reference),
    lines,
  }
}

async function file({ store }: SendDeps, { id, isInstant, references }: StoredMessage): Promise<void> {
  await store.write(
    references.flatMap((reference) => [
      { add: factOf(reference, 'filed', { message: id, isInstant }) },
      { remove: { kind: QUEUE, key: reference } },
    ]),
  )
}

async function release({ store, out, account }: SendDeps, message: StoredMessage): Promise<void> {
  const { id } = message
  const key = { kind: 'release', key: id }
  if ((await store.find(key)) === undefined) {
    const temporary = `${id}.${randomBytes(6).toString('hex')}.tmp`
    await writeDurably(out, temporary, writePain001(message, account))
    await store.write([{ add: { ...key, body: { temporary } } }])
  }
  const released = textIn((await store.find(key))?.body, 'temporary')
  assert(released !== '', 'a release names its file')
  await renameOnce(out, released, `${id}.xml`)
  await removeTemporary(out, id)
}

async function finish(store: ChannelStore, message: StoredMessage): Promise<void> {
  await store.write([
    { put: toRecord({ ...message, lines: [] }) },
    { put: { ...nextKey, body: { number: message.number + 1 } } },
  ])
}

function keyOf(number: number): { readonly kind: string; readonly key: string } {
  return { kind: 'message', key: String(number).padStart(NUMBER_LENGTH, '0') }
}

function toRecord(message: StoredMessage): ChannelRecord {
  return { ...keyOf(message.number), body: { ...message } }
}

async function findMessage(store: ChannelStore, number: number): Promise<StoredMessage | undefined> {
  const body = (await store.find(keyOf(number)))?.body
  if (body === undefined) return undefined
  const { references, lines } = body
  assert(Array.isArray(references) && Array.isArray(lines), 'a message has references and lines')
  return {
    number,
    id: textIn(body, 'id'),
    createdAt: textIn(body, 'createdAt'),
    executionDay: textIn(body, 'executionDay'),
    isInstant: body.isInstant === true,
    references: references.map(String),
    lines: lines.filter(isObject).map((line) => toLine({ body: line })),
  }
}

/** Returns our message with this id. Undefined for messages of other programs. */
export async function findMessageById(store: ChannelStore, id: string): Promise<StoredMessage | undefined> {
  const [, digits] = /-(\d{9})$/.exec(id) ?? []
  const message = digits === undefined ? undefined : await findMessage(store, Number(digits))
  return message?.id === id ? message : undefined
}

function toLine({ body }: Pick<ChannelRecord, 'body'>): TransferLine {
  const text = (name: string) => textIn(body, name)
  return {
    reference: text('reference'),
    amount: text('amount'),
    iban: text('iban'),
    name: text('name'),
    text: text('text'),
  }
}
