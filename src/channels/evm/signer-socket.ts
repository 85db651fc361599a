// A signer behind a Unix domain socket: each request and each answer is one line of JSON. The connection stays open, so the
// signer may take its time, or answer a second time with a higher fee.
//
// Nothing is remembered here: when the connection or this process ends, every transfer without a signature is asked for again,
// with its old nonce.
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { isObject } from '../../base/object.ts'
import { parseJson } from '../../http/client/http-client.ts'
import { withChecksum } from '../crypto/address.ts'
import type { Checked } from '../protocol.ts'
import { readAnswer, type Signer, type SignerAnswer, SignerAway } from './signer.ts'

export type SignerSocketOptions = {
  readonly path: string
  /** The account that the signer should have the key of, in lower case. */
  readonly from: string
  /** After this time without an answer the request is sent again, over another connection. */
  readonly answerMs?: number
}

const CONNECT_MS = 5_000
const ANSWER_MS = 5 * 60_000
/** The largest signed transaction that we read, and some room. */
const MAX_LINE = 16_384
/** Requests that wait at the signer at a time. The others are sent when these have an answer. */
const MAX_ASKED = 100
const MAX_UNREAD = 2 * MAX_ASKED
const CHECK_ID = 'check'

type Line = {
  readonly socket: Socket
  /** When each id was sent. */
  readonly asked: Map<string, number>
}

export function openSignerSocket({ path, from, answerMs = ANSWER_MS }: SignerSocketOptions): Signer {
  const unread: SignerAnswer[] = []
  let line: Line | undefined

  async function connect(): Promise<Line> {
    const socket = await openSocket(path, AbortSignal.timeout(CONNECT_MS))
    // The process may end while the signer thinks. The time-out ends a connection that no settings use any more.
    socket.unref().setTimeout(2 * answerMs, () => socket.destroy())
    const opened = { socket, asked: new Map<string, number>() }
    socket.on('close', () => {
      if (line === opened) line = undefined
    })
    // A signer that sends something else, or more than anybody reads, gets another connection.
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
    // An answer that cannot be used leaves the request as it was: it is sent again when its time is over.
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
  // Whatever went wrong, the connection closes.
  return socket.on('error', () => {}).setEncoding('utf8')
}

/** Until `take` returns false. */
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

/** Asks for the account, which needs no signature. */
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
