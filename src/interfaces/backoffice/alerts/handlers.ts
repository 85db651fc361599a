import { writeAudit } from '../../audit-log/write-entry.ts'
import type { Clock } from '../../base/clock.ts'
import type { Db } from '../../postgres/db.ts'
import { actorOf } from '../caller.ts'
import type { Handlers } from '../route.ts'
import { alertsOf, alwaysOnFor, isOnByDefault } from './alert-kinds.ts'
import type { alertsApi } from './api.ts'
import { selectAlertSettings, upsertAlertSettings } from './sql.ts'

export type AlertDeps = { readonly db: Db; readonly clock: Clock }

export function createAlertsHandlers({ db, clock }: AlertDeps): Handlers<typeof alertsApi> {
  return {
    async 'GET /alerts'({ caller }) {
      const settings = await selectAlertSettings(db, caller)
      const chosen = new Map(settings.map(({ kind, isOn }) => [kind, isOn]))
      const kinds = alertsOf(caller.merNo, caller.permissions)
      const rows = kinds.map((kind) => {
        const isAlwaysOn = alwaysOnFor(kind) === caller.role
        return { kind, isOn: isAlwaysOn || (chosen.get(kind) ?? isOnByDefault(kind)), isAlwaysOn }
      })
      return { rows }
    },

    async 'PUT /alerts'({ caller, body }) {
      const kinds = alertsOf(caller.merNo, caller.permissions)
      const settings = kinds.map((kind) => ({ kind, isOn: body.on.includes(kind) }))
      await db.transaction(async (tx) => {
        await upsertAlertSettings(tx, caller, settings)
        const { merNo, email } = caller
        const entry = { merNo, at: clock.now(), actor: actorOf(caller), subject: email }
        await writeAudit(tx, { ...entry, action: 'alerts.edit', after: { on: body.on } })
      })
      return {}
    },
  }
}
