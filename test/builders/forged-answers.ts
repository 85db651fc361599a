// Answers in the format of a counterparty that did not give them.
import { isObject } from '../../src/platform/base/object.ts'
import type { Evasion } from '../contracts/channel-driver.ts'
import type { ProxyAnswer } from '../counterparties/faulty-proxy.ts'

/** Makes evasions from the counterparty's own errors, by status. */
export function evasionsOf(...errors: readonly (readonly [status: number, body: object])[]): Evasion[] {
  return errors.map(([status, body]) => {
    const text = JSON.stringify(body)
    const headers = { 'content-type': 'application/json' }
    return { what: `${status} ${text}`, answer: () => ({ status, headers, body: text }) }
  })
}

type Changes = Readonly<Record<string, (value: unknown) => unknown>>

/** Changes each field of these names in the answer, at any depth. An answer that is not JSON stays unchanged. */
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
