import { actorOf, type Caller } from '../../../people/roles/caller.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { makeId } from '../../../platform/base/id.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Handlers } from '../route.ts'
import type { viewsApi } from './api.ts'
import { deleteView, insertView, lockView, selectViews, updateView, type ViewRow } from './sql.ts'

export type ViewHandlerDeps = { readonly db: Db; readonly clock: Clock }

export function createViewHandlers({ db, clock }: ViewHandlerDeps): Handlers<typeof viewsApi> {
  const audit = (tx: Tx, caller: Caller, action: string, { viewId, name, shared }: ViewRow) =>
    writeAudit(tx, {
      merNo: caller.merNo,
      at: clock.now(),
      actor: actorOf(caller),
      action,
      subject: viewId,
      after: { name, shared },
    })

  return {
    async 'GET /views'({ caller }) {
      const rows = await selectViews(db, caller.merNo, caller.userId)
      return { rows: rows.map((row) => toView(row, caller)) }
    },

    async 'POST /views'({ caller, body }) {
      const { merNo, userId } = caller
      const createdAt = clock.now()
      const row = { ...body, viewId: makeId('V', merNo, createdAt), userId, version: 1, createdAt }
      await db.transaction(async (tx) => {
        await insertView(tx, merNo, row)
        await audit(tx, caller, 'view.create', row)
      })
      return toView(row, caller)
    },

    async 'PUT /views/:viewId'({ caller, params: { viewId }, body }) {
      const { version, ...content } = body
      return db.transaction(async (tx) => {
        const row = await lockOwn(tx, caller, viewId)
        if (row.version !== version)
          throw new Problem(
            'conflict',
            'The view was changed meanwhile. Open it again and repeat your change.',
          )
        const changed = { ...row, ...content, version: version + 1 }
        await updateView(tx, caller.merNo, viewId, content)
        await audit(tx, caller, 'view.change', changed)
        return toView(changed, caller)
      })
    },

    async 'DELETE /views/:viewId'({ caller, params: { viewId } }) {
      await db.transaction(async (tx) => {
        const row = await lockOwn(tx, caller, viewId)
        await deleteView(tx, caller.merNo, viewId)
        await audit(tx, caller, 'view.delete', row)
      })
      return {}
    },
  }
}

/**
 * Locks a view of the caller. Other people may use a shared view but may not change it, so the call is refused for
 * them.
 */
async function lockOwn(tx: Tx, { merNo, userId }: Caller, viewId: string): Promise<ViewRow> {
  const row = await lockView(tx, merNo, viewId)
  if (row === undefined || (row.userId !== userId && !row.shared))
    throw new Problem('not-found', 'There is no such view.')
  if (row.userId !== userId)
    throw new Problem('refused', 'Only the person who made this view can change it. Save a copy instead.')
  return row
}

function toView({ userId, createdAt, ...row }: ViewRow, caller: Caller) {
  return { ...row, isOwn: userId === caller.userId, createdAt: createdAt.toISOString() }
}
