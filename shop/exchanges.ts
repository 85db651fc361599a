// The shop's requests to the gateway and the gateway's notifications, for the panel. The newest 60 are kept in memory.
// Card numbers and security codes are masked before they are stored, and the key is never stored here.
import { endpoints } from '../sdk/src/generated.ts'
import { type Path, textToSign } from '../sdk/src/sign.ts'
import { hidden } from './hidden.ts'

export type Exchange = {
  readonly id: number
  readonly at: Date
  readonly kind: 'request' | 'notification'
  readonly title: string
  /** The number of the order, or '' if the number is unknown. */
  readonly number: string
  readonly state: 'waiting' | 'good' | 'bad'
  /** The outcome in a few words. */
  readonly result: string
  readonly parts: readonly Part[]
}

export type Part = { readonly name: string; readonly text: string }

export type NewExchange = Omit<Exchange, 'id' | 'at'>

export type Exchanges = {
  /** The requests and notifications, newest first. */
  list(): readonly Exchange[]
  find(id: number): Exchange | undefined
  add(exchange: NewExchange): number
  change(id: number, change: Partial<NewExchange>): void
}

const MOST = 60

export function createExchanges(onChange: (id: number) => void): Exchanges {
  const stored = new Map<number, Exchange>()
  let last = 0
  return {
    list: () => [...stored.values()].reverse(),
    find: (id) => stored.get(id),
    add(exchange) {
      const id = ++last
      stored.set(id, { ...exchange, id, at: new Date() })
      stored.delete(id - MOST)
      onChange(id)
      return id
    },
    change(id, change) {
      const before = stored.get(id)
      if (before === undefined) return
      stored.set(id, { ...before, ...change })
      onChange(id)
    },
  }
}

/** Returns a `fetch` for the SDK's settings that records every request and its answer. */
export function recordingFetch(exchanges: Exchanges): typeof fetch {
  return async (address, init) => {
    const { pathname } = new URL(String(address))
    const id = exchanges.add(requestOf(pathname, init))
    try {
      const response = await fetch(address, init)
      exchanges.change(id, answerOf(exchanges.find(id), response.status, await response.clone().text()))
      return response
    } catch (error) {
      exchanges.change(id, { state: 'bad', result: 'no answer' })
      throw error
    }
  }
}

function requestOf(path: string, init: RequestInit | undefined): NewExchange {
  const { sign, ...fields }: Record<string, unknown> = JSON.parse(String(init?.body ?? '{}'))
  const headers = Object.entries(Object.fromEntries(new Headers(init?.headers)))
  const signed = isPath(path) ? [{ name: 'String to sign', text: `${textToSign(path, fields)}<KEY>` }] : []
  return {
    kind: 'request',
    title: `POST ${path}`,
    number: String(fields.merOrderNo ?? ''),
    state: 'waiting',
    result: 'waiting for the answer',
    parts: [
      { name: 'Headers', text: headers.map(([name, value]) => `${name}: ${value}`).join('\n') },
      { name: 'Body', text: readable(hidden({ ...fields, sign })) },
      ...signed,
      { name: 'MD5 of it, in upper case: sign', text: String(sign) },
    ],
  }
}

function isPath(path: string): path is Path {
  return Object.hasOwn(endpoints, path)
}

function answerOf(before: Exchange | undefined, status: number, text: string): Partial<NewExchange> {
  const { code = '', message = '', data } = asAnswer(text)
  const outcome: Outcome = code === '00000' ? outcomeOf(data) : { state: 'bad', words: message }
  return {
    state: outcome.state,
    result: `${code} ${outcome.words}`.trim(),
    parts: [...(before?.parts ?? []), { name: `Answer, HTTP ${status}`, text: readable(text) }],
  }
}

type Outcome = { readonly state: 'good' | 'bad' | 'waiting'; readonly words: string }

const payCodes = ['good', 'bad', 'waiting'] as const
/** The states 1 to 3 are those of payments, 4 to 6 those of refunds. */
const states = ['waiting', 'waiting', 'bad', 'good', 'waiting', 'bad', 'good'] as const

function outcomeOf({ payCode, state }: NonNullable<Answer['data']> = {}): Outcome {
  if (payCode !== undefined) return { state: payCodes[payCode] ?? 'good', words: `payCode ${payCode}` }
  return state === undefined
    ? { state: 'good', words: '' }
    : { state: states[state] ?? 'good', words: `state ${state}` }
}

type Answer = {
  readonly code?: string
  readonly message?: string
  readonly data?: { readonly payCode?: number; readonly state?: number }
}

function asAnswer(text: string): Answer {
  try {
    return JSON.parse(text)
  } catch {
    return { code: 'no JSON', message: '' }
  }
}

const LONGEST = 20_000

/** JSON is indented; other text stays as it is. */
export function readable(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, undefined, 2)
  try {
    return JSON.stringify(JSON.parse(value), undefined, 2)
  } catch {
    return value.slice(0, LONGEST)
  }
}
