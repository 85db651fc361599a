// Watches the calls to counterparties that move money out. A decided refund or payout must never be called again,
// because its money may have been given back.
import { isObject } from '../../src/platform/base/object.ts'
import type { Db } from '../../src/platform/postgres/db.ts'

export type LateCall = { readonly reference: string; readonly state: string; readonly at: number }

export type Calls = {
  /** Checks a call before it is passed on to the counterparty. */
  note(url: string, body: Buffer): Promise<void>
  /** Sets the database that calls are compared with. Calls before this are not checked. */
  watch(db: Db): void
  compared(): number
  readonly late: readonly LateCall[]
}

/**
 * A call is wrong only if the decision is older than this, because another process may decide while a call is under
 * way.
 */
const DECIDED_BEFORE = '1 second'
/** The maximum time that a call waits for this check. After that, the call passes unchecked. */
const PATIENCE_MS = 300

const refundText = `
  select state from refunds
  where refund_no = 'R' || substr($1, 2) and state in ('succeeded', 'failed', 'returned')
    and pg_xact_commit_timestamp(xmin) < clock_timestamp() - interval '${DECIDED_BEFORE}'`
const payoutText = `
  select state from payouts
  where reference = $1 and state in ('succeeded', 'failed', 'returned')
    and pg_xact_commit_timestamp(xmin) < clock_timestamp() - interval '${DECIDED_BEFORE}'`

export function createCalls(): Calls {
  let db: Db | undefined
  let compared = 0
  const late: LateCall[] = []
  return {
    watch: (opened) => {
      db = opened
    },
    compared: () => compared,
    late,
    async note(url, body) {
      const asked = questionOf(url, body)
      if (asked === undefined || db === undefined) return
      const { text, reference } = asked
      const deadline = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS, undefined))
      const looked = db.query<{ state: string }>({ text, values: [reference] }).catch(() => undefined)
      const rows = await Promise.race([looked, deadline])
      if (rows === undefined) return
      compared += 1
      for (const { state } of rows) late.push({ reference, state, at: Date.now() })
    },
  }
}

function questionOf(
  url: string,
  body: Buffer,
): { readonly text: string; readonly reference: string } | undefined {
  const isPayout = url.endsWith('/payout-bank/v1/send')
  if (!isPayout && !url.endsWith('/refund')) return undefined
  const reference = referenceIn(body, isPayout ? 'reference' : 'refundReference')
  return reference === undefined ? undefined : { text: isPayout ? payoutText : refundText, reference }
}

function referenceIn(body: Buffer, name: string): string | undefined {
  try {
    const fields: unknown = JSON.parse(body.toString('utf8'))
    const value = isObject(fields) ? fields[name] : undefined
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
