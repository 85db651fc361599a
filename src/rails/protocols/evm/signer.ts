// The signer is a separate program that has the private key of our account. The gateway reaches the signer through a
// folder or a Unix domain socket, with the same fields in requests and answers.

import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { isObject } from '../../../platform/base/object.ts'
import { whyOf } from '../../../platform/base/thrown.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import { withoutHexKeys } from '../../contract/counterparty-texts.ts'
import type { Checked } from '../../contract/protocol.ts'
import { withChecksum } from '../../toolkit/formats/chain-address.ts'
import { formatUnits, readQuantity, toQuantity, transferData } from './hex.ts'
import type { Rpc } from './json-rpc.ts'
import type { Head } from './nodes.ts'
import type { OutgoingTransfer } from './outgoing-records.ts'
import type { EvmSettings, Outgoing } from './settings.ts'
import type { SignedTransaction } from './signed-transaction.ts'

export type Signer = {
  /**
   * Returns the ids of the requests that wait at the signer. The caller requests a signature for every other unsigned
   * transfer.
   */
  asked(): Promise<ReadonlySet<string>>
  /** Sends a request to the signer. If the signer's socket cannot be reached, throws a SignerAway. */
  ask(id: string, request: object): Promise<void>
  /**
   * Returns the answers since the last call. With a folder, also returns earlier answers until `finish` is called for
   * them. An id may have several answers.
   */
  answers(): Promise<readonly SignerAnswer[]>
  /** Marks an answer as recorded ('done') or unusable ('bad'). */
  finish(id: string, into: 'done' | 'bad'): Promise<void>
  /** Checks that the signer can be reached and, over a socket, that it names no other account. */
  check(signal: AbortSignal): Promise<Checked>
}

export type SignerAnswer =
  | { readonly id: string; readonly kind: 'signed'; readonly raw: string }
  | { readonly id: string; readonly kind: 'refused'; readonly why: string }
  | { readonly id: string; readonly kind: 'malformed' }

export class SignerAway extends Error {
  override readonly name = 'SignerAway'
}

const MAX_WHY = 200

/** Reads an answer. `id` comes from the file's name (folder) or from the line itself (socket). */
function readAnswer(text: string, id: string): SignerAnswer {
  const body = parseJson(text)
  if (!isObject(body)) return { id, kind: 'malformed' }
  if (typeof body.raw === 'string') return { id, kind: 'signed', raw: body.raw.trim() }
  if (typeof body.refused === 'string')
    return { id, kind: 'refused', why: withoutHexKeys(body.refused).slice(0, MAX_WHY) }
  return { id, kind: 'malformed' }
}

// A signer behind a folder. The gateway writes `unsigned/ID.json`. The signer answers in `signed/ID.json`, with `{
// "raw": "0x02…" }` or `{ "refused": "why" }`. The signer must rename a complete file to that name, so that the gateway
// never reads an incomplete one. The gateway moves a recorded answer to `done/`, and an unusable answer to `bad/`.

const MAX_ANSWERS = 100
const isAnswer = /^[A-Za-z0-9-]{1,80}\.json$/

export function openSignerFolder(folder: string): Signer {
  const [unsigned, signed] = [join(folder, 'unsigned'), join(folder, 'signed')]

  async function make(): Promise<void> {
    for (const name of ['unsigned', 'signed', 'done', 'bad'])
      await mkdir(join(folder, name), { recursive: true, mode: 0o770 })
  }

  async function asked(): Promise<ReadonlySet<string>> {
    await make()
    return new Set((await listed(unsigned)).map(idOf))
  }

  return {
    asked,
    async ask(id, request) {
      const temporary = join(unsigned, `${id}.tmp`)
      await writeFile(temporary, `${JSON.stringify(request, undefined, 2)}\n`, { flush: true })
      await rename(temporary, join(unsigned, `${id}.json`))
    },
    async answers() {
      await make()
      const names = (await listed(signed)).slice(0, MAX_ANSWERS)
      return Promise.all(
        names.map(async (name) => readAnswer(await readFile(join(signed, name), 'utf8'), idOf(name))),
      )
    },
    async finish(id, into) {
      await rename(join(signed, `${id}.json`), join(folder, into, `${id}.json`))
      if (into === 'done') await rm(join(unsigned, `${id}.json`), { force: true })
    },
    async check() {
      try {
        return {
          isRight: true,
          message: `${(await asked()).size} transfers wait for the signer in ${unsigned}`,
        }
      } catch (error) {
        return { isRight: false, message: `the signer's folder cannot be used: ${whyOf(error)}` }
      }
    },
  }
}

async function listed(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => isAnswer.test(name)).sort()
}

function idOf(name: string): string {
  return name.slice(0, -'.json'.length)
}

// A signer behind a Unix domain socket. Each request and each answer is one line of JSON. The connection stays open, so
// the signer may answer minutes later, or again with a higher fee. No state of the connection is stored. When the
// connection or this process ends, missing signatures are requested again, with the same nonces.

type SignerSocketOptions = {
  readonly path: string
  /** The account that the signer should sign for, in lower case. */
  readonly from: string
  /** If a request has no answer after this time, all unanswered requests are sent again over a new connection. */
  readonly answerMs?: number
}

const CONNECT_MS = 5_000
const ANSWER_MS = 5 * 60_000
/** The maximum length of a line. The largest accepted transaction has 8,196 characters. */
const MAX_LINE = 16_384
/** The maximum number of requests that wait at the signer. A later round sends the others. */
const MAX_ASKED = 100
const MAX_UNREAD = 2 * MAX_ASKED
const CHECK_ID = 'check'

type Line = {
  readonly socket: Socket
  /** The time when each request was sent, by the request's id. */
  readonly asked: Map<string, number>
}

export function openSignerSocket({ path, from, answerMs = ANSWER_MS }: SignerSocketOptions): Signer {
  const unread: SignerAnswer[] = []
  let line: Line | undefined

  async function connect(): Promise<Line> {
    const socket = await openSocket(path, AbortSignal.timeout(CONNECT_MS))
    // `unref` lets the process end although the connection is open. If the channel's settings are replaced, the
    // time-out closes the old connection.
    socket.unref().setTimeout(2 * answerMs, () => socket.destroy())
    const opened = { socket, asked: new Map<string, number>() }
    socket.on('close', () => {
      if (line === opened) line = undefined
    })
    // The connection is closed after a malformed line, and when MAX_UNREAD answers are unread.
    readLines(socket, (text) => {
      const answer = readLine(text)
      unread.push(answer)
      return answer.kind !== 'malformed' && unread.length < MAX_UNREAD
    })
    line = opened
    return opened
  }

  return {
    async asked() {
      const sent = [...(line?.asked.values() ?? [])]
      const isLate = sent.some((at) => performance.now() - at > answerMs)
      if (isLate) {
        line?.socket.destroy()
        line = undefined
      }
      return new Set(line?.asked.keys())
    },
    async ask(id, request) {
      const { socket, asked } = line ?? (await connect())
      if (asked.size >= MAX_ASKED) return
      asked.set(id, performance.now())
      socket.write(`${JSON.stringify(request)}\n`)
    },
    answers: async () => unread.splice(0),
    // After an unusable answer, the request still counts as unanswered, and is sent again after the time-out.
    async finish(id, into) {
      if (into === 'done') line?.asked.delete(id)
    },
    check: (signal) => checkSigner(path, from, signal),
  }
}

async function openSocket(path: string, signal: AbortSignal): Promise<Socket> {
  const socket = createConnection(path)
  try {
    await once(socket, 'connect', { signal })
  } catch (error) {
    socket.on('error', () => {}).destroy()
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new SignerAway(`the signer cannot be reached at ${path}${code}: is it running?`)
  }
  // Errors are ignored here, because Node.js emits 'close' after each error.
  return socket.on('error', () => {}).setEncoding('utf8')
}

/** Passes each line to `take`. Closes the connection once `take` returns false. */
function readLines(socket: Socket, take: (line: string) => boolean): void {
  let rest = ''
  socket.on('data', (chunk) => {
    const [last = '', ...lines] = `${rest}${chunk}`.split('\n').reverse()
    rest = last
    const isRead = lines.reverse().every((line) => line === '' || take(line))
    if (!isRead || (rest.length > MAX_LINE && !take(rest))) socket.destroy()
  })
}

function readLine(text: string): SignerAnswer {
  const { id } = fieldsOf(text)
  const isAnswer = typeof id === 'string' && id !== '' && text.length <= MAX_LINE
  return isAnswer ? readAnswer(text, id) : { id: 'a line without an id', kind: 'malformed' }
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  const body = parseJson(text)
  return isObject(body) ? body : {}
}

/** Asks the signer which account it signs for. This request makes the signer sign nothing. */
async function checkSigner(path: string, from: string, signal: AbortSignal): Promise<Checked> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)])
  try {
    const socket = await openSocket(path, within)
    const answered = firstLine(socket, within)
    socket.write(`${JSON.stringify({ id: CHECK_ID, from: withChecksum(from) })}\n`)
    const { id, signs } = fieldsOf(await answered)
    if (id !== CHECK_ID) return wrong(path, 'answers something else than was asked')
    if (typeof signs === 'string' && signs.toLowerCase() !== from)
      return wrong(path, `signs for ${signs}, not for the account "from" of "outgoing"`)
    return { isRight: true, message: `the signer answers at ${path}` }
  } catch (error) {
    if (error instanceof SignerAway) return { isRight: false, message: error.message }
    throw error
  }
}

function wrong(path: string, what: string): Checked {
  return { isRight: false, message: `the signer at ${path} ${what}` }
}

function firstLine(socket: Socket, signal: AbortSignal): Promise<string> {
  signal.addEventListener('abort', () => socket.destroy(), { once: true })
  return new Promise((resolve, reject) => {
    socket.on('close', () => reject(new SignerAway('the signer took the connection, but does not answer')))
    readLines(socket, (line) => {
      resolve(line)
      return false
    })
  })
}

// The request to the signer: a description of the payment, and a transaction. The signer may change only the nonce, gas
// and fees of the transaction.

export type SigningJob = {
  readonly settings: Pick<EvmSettings, 'chainId' | 'network' | 'coins'>
  readonly outgoing: Outgoing
  readonly head: Head
  readonly signal: AbortSignal
}

/** Returns the called address, the value and the data that the signed transaction must contain. */
export function callOf({
  token,
  to,
  units,
}: OutgoingTransfer): Pick<SignedTransaction, 'to' | 'value' | 'data'> {
  return token === 'native'
    ? { to, value: units, data: '0x' }
    : { to: token, value: 0n, data: transferData(to, units) }
}

export async function requestOf(job: SigningJob, transfer: OutgoingTransfer, nonce: number): Promise<object> {
  const { settings, outgoing, head, signal } = job
  const { id, reference, purpose, units, coin } = transfer
  const call = callOf(transfer)
  const from = withChecksum(outgoing.from)
  const transaction = { from, to: withChecksum(call.to), value: toQuantity(call.value), data: call.data }
  const proposed = await head.any(async (rpc) => {
    const gas = readQuantity(await rpc.call('eth_estimateGas', [transaction], signal), 'the gas')
    return { gas: gas + gas / 4n, fees: await readFees(rpc, signal) }
  })
  const decimals = settings.coins.get(coin)?.decimals.chain ?? 0
  return {
    id,
    ...(purpose === 'refund' ? { payment: reference } : { payout: reference }),
    pays: `${formatUnits(units, decimals)} ${coin} on ${settings.network} to ${withChecksum(transfer.to)}`,
    chainId: settings.chainId,
    ...transaction,
    type: '0x2',
    nonce: toQuantity(nonce),
    gas: toQuantity(proposed.gas),
    ...proposed.fees,
  }
}

/**
 * Proposes fees: twice the base fee, plus the priority fee. On Ethereum the base fee rises by at most an eighth per
 * block, so twice the base fee is enough for at least five blocks.
 */
async function readFees(rpc: Rpc, signal: AbortSignal): Promise<object> {
  const priority = readQuantity(await rpc.call('eth_maxPriorityFeePerGas', [], signal), 'the priority fee')
  const block = await rpc.call('eth_getBlockByNumber', ['latest', false], signal)
  const base = readQuantity(isObject(block) ? block.baseFeePerGas : undefined, 'the base fee')
  return { maxFeePerGas: toQuantity(base * 2n + priority), maxPriorityFeePerGas: toQuantity(priority) }
}
