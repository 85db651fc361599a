// Blocks who paid an order: its card, e-mail, address or device.
import { audited } from '../../audit-log/audited-db.ts'
import type { Clock } from '../../base/clock.ts'
import { merNoOf } from '../../base/id.ts'
import { OperatorRefusal } from '../../errors/catalogue.ts'
import { readLastAttempt } from '../../order-queries/read-attempts.ts'
import type { Db } from '../../postgres/db.ts'
import { addEntry, type Named } from '../../risk/change-lists.ts'
import type { EntryKind } from '../../risk/entry.ts'
import { actorOf, type Caller } from '../caller.ts'
import { PLATFORM } from '../permissions.ts'
import { Problem } from '../problem.ts'
import { ofAttempt } from './name-entry.ts'

export type BlockDeps = { readonly db: Db; readonly clock: Clock }

/** What tells a payer from others. A country or a BIN is shared by too many. */
const kinds = ['card', 'email', 'address', 'device'] as const satisfies readonly EntryKind[]

/** What its last attempt has of these. */
export async function namesOfOrder({ db }: Pick<BlockDeps, 'db'>, tradeNo: string): Promise<Named[]> {
  const attempt = await readLastAttempt(db, { merNo: merNoOf(tradeNo) ?? PLATFORM, tradeNo })
  if (attempt === undefined) throw new Problem('not-found', 'There is no such payment.')
  return kinds.map((kind) => ofAttempt(kind, attempt)).filter((named) => named !== undefined)
}

export type Blocking = {
  readonly tradeNo: string
  readonly kinds: readonly EntryKind[]
  /** For every merchant, not only that of the order. */
  readonly isForAll: boolean
  readonly reason: string
}

/** Returns what is blocked now that was not before. */
export async function blockOrder(
  deps: BlockDeps,
  caller: Caller,
  { tradeNo, kinds: wanted, isForAll, reason }: Blocking,
): Promise<string[]> {
  const names = (await namesOfOrder(deps, tradeNo)).filter(({ kind }) => wanted.includes(kind))
  if (names.length === 0)
    throw new Problem('invalid', 'Check the marked fields.', { kinds: 'Choose what to block.' })
  const merNo = isForAll ? PLATFORM : (merNoOf(tradeNo) ?? PLATFORM)
  const at = deps.clock.now()
  const blocked: string[] = []
  for (const named of names) {
    const line = {
      merNo,
      at,
      actor: actorOf(caller),
      action: 'risk.list-add',
      subject: named.shown,
      reason,
      after: { list: 'block', kind: named.kind, tradeNo },
    }
    const entry = { merNo, list: 'block', reason, named, expiresAt: undefined, by: caller.email, at } as const
    try {
      await addEntry(audited(deps.db, line), entry)
      blocked.push(named.shown)
    } catch (error) {
      if (!(error instanceof OperatorRefusal)) throw error
      // What is on the list already needs no second entry, unless there is nothing else to block.
      if (names.length === 1) throw new OperatorRefusal(error.message, 'kinds')
    }
  }
  return blocked
}
