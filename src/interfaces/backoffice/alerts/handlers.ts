import { actorOf } from '../../../people/roles/caller.ts'
import { selectAlertSettings, upsertAlertSettings } from '../../../people/users/alert-settings.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Handlers } from '../route.ts'
import { alertsOf, isAlwaysOn, isOnByDefault } from './alert-kinds.ts'
import type { alertsApi } from './api.ts'

export type AlertDeps = { readonly db: Db; readonly clock: Clock }

export function createAlertsHandlers({ db, clock }: AlertDeps): Handlers<typeof alertsApi> {
  return {
    async 'GET /alerts'({ caller }) {
      const settings = await selectAlertSettings(db, caller)
      const chosen = new Map(settings.map(({ kind, isOn }) => [kind, isOn]))
      const kinds = alertsOf(caller.merNo, caller.permissions)
      const rows = kinds.map((kind) => {
        const always = isAlwaysOn(kind, caller.role)
        return { kind, isOn: always || (chosen.get(kind) ?? isOnByDefault(kind)), isAlwaysOn: always }
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
