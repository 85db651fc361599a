// Fetches the statement of one day from a bridge, page by page. One malformed line makes the whole statement `unknown`:
// if only that line were skipped, reconciliation would report a difference that does not exist.
import { type Fields, isObject } from '../../../platform/base/object.ts'
import { fieldFault, moneyFault } from '../../contract/counterparty-texts.ts'
import { type DayStatement, type ListedMovement, movementTypes } from '../../contract/statement.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import type { Reply, Transport } from '../../toolkit/transport.ts'

export type StatementOptions = { readonly transport: Transport<'statement'>; readonly timeoutMs: number }

/** The maximum number of lines of a statement. Imported statements have the same maximum. */
const MAX_LINES = 500_000
const MAX_REFERENCE = 100

/** `day` is YYYY-MM-DD, in UTC. */
export async function fetchStatement(
  { transport, timeoutMs }: StatementOptions,
  day: string,
): Promise<DayStatement> {
  const lines: ListedMovement[] = []
  let after: string | undefined
  do {
    const body = after === undefined ? { day } : { day, after }
    const page = readPage(
      await withDeadline(timeoutMs, (signal) => transport('statement', body, signal)),
      day,
    )
    if (typeof page === 'string') return unknown(page)
    if (page.next !== undefined && page.lines.length === 0)
      return unknown('the bridge sent an empty page that is not the last')
    if (page.next !== undefined && page.next === after)
      return unknown('the bridge sent a page that leads to itself')
    lines.push(...page.lines)
    if (lines.length > MAX_LINES) return unknown(`the statement has more than ${MAX_LINES} lines`)
    after = page.next
  } while (after !== undefined)
  return { kind: 'listed', lines }
}

type Page = { readonly lines: readonly ListedMovement[]; readonly next: string | undefined }

/** Returns the page, or a text that says what is wrong with it. */
export function readPage(reply: Reply, day: string): Page | string {
  if (reply.kind !== 'answer') return reply.why
  const { status, body } = reply
  if (status !== 200 || !isObject(body)) return `the bridge responded ${status} without a statement`
  if (body.day !== day) return 'the bridge sent the statement of another day'
  const { lines: list, next } = body
  if (!Array.isArray(list)) return "the bridge's statement has no list of lines"
  if (next !== undefined && (typeof next !== 'string' || next === '' || next.length > 255))
    return "the statement's `next` is not a text"
  const read = list.map((entry) => (isObject(entry) ? readLine(entry) : 'it is no object'))
  const wrong = read.findIndex((line) => typeof line === 'string')
  if (wrong >= 0) return `line ${wrong + 1} of the bridge's statement is malformed: ${read[wrong]}`
  return { lines: read.filter((line) => typeof line !== 'string'), next }
}

function readLine(line: Fields): ListedMovement | string {
  const { id, reference, type, amount, currency, fee = '0' } = line
  if (id !== undefined && (typeof id !== 'string' || id === '' || id.length > MAX_REFERENCE))
    return fieldFault('id', id, `a text of 1 to ${MAX_REFERENCE} characters, or absent`)
  if (typeof reference !== 'string' || reference === '' || reference.length > MAX_REFERENCE)
    return fieldFault('reference', reference, `a text of 1 to ${MAX_REFERENCE} characters`)
  const known = movementTypes.find((one) => one === type)
  if (known === undefined) return fieldFault('type', type, `one of ${movementTypes.join(', ')}`)
  const fault = moneyFault(line, true)
  if (fault !== undefined) return fault
  if (typeof fee !== 'string' || !/^\d{1,18}$/.test(fee))
    return fieldFault('fee', fee, 'digits in the minor unit as text, such as "35"')
  const money = { amount: BigInt(String(amount)), currency: String(currency) }
  return { ...(id !== undefined && { id }), reference, type: known, money, fee: BigInt(fee) }
}
