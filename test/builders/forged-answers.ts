// Answers in the words of a counterparty that it did not give.
import { isObject } from '../src/base/object.ts'
import type { Evasion } from './channel-driver.ts'
import type { ProxyAnswer } from './faulty-proxy.ts'

/** Its own errors, by status. */
export function evasionsOf(...errors: readonly (readonly [status: number, body: object])[]): Evasion[] {
  return errors.map(([status, body]) => {
    const text = JSON.stringify(body)
    const headers = { 'content-type': 'application/json' }
    return { what: `${status} ${text}`, answer: () => ({ status, headers, body: text }) }
  })
}

type Changes = Readonly<Record<string, (value: unknown) => unknown>>

/** The answer with each field of these names changed, at any depth. Unchanged if it is no JSON. */
export function withFields(answer: ProxyAnswer, changes: Changes): ProxyAnswer {
  if (!/^[[{]/.test(answer.body)) return answer
  return { ...answer, body: JSON.stringify(changed(JSON.parse(answer.body), changes)) }
}

export function changed(value: unknown, changes: Changes): unknown {
  if (Array.isArray(value)) return value.map((one) => changed(one, changes))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, field]) => {
    const change = changes[name]
    return [name, change === undefined ? changed(field, changes) : change(field)]
  })
  return Object.fromEntries(entries)
}
