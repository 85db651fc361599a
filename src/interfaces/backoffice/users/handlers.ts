import { writeAudit } from '../../audit-log/write-entry.ts'
import type { Tx } from '../../postgres/db.ts'
import { actorOf, type Caller } from '../caller.ts'
import { factorsOf } from '../factors/find-factors.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { PLATFORM } from '../permissions.ts'
import { Problem } from '../problem.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS } from '../schemas.ts'
import { demandFactors } from '../session/sql.ts'
import { lockUser, selectUsers, type UserRow } from '../sql.ts'
import type { usersApi } from './api.ts'
import { changeRole, disableUser, enableUser, lockPerson, resetFactor } from './change-user.ts'
import { companyOfCall, requireMayChange, requireMayGrant } from './granting.ts'
import { invitedOf, inviteUser, sendInvitation, takeInvitation } from './invite.ts'
import { selectRules, upsertRules } from './role-sql.ts'
import { changeRolePermissions, createRole, deleteRole, listRoles } from './roles.ts'

type Target = {
  readonly caller: Caller
  readonly params: { readonly userId: string }
  readonly query: { readonly merNo?: number }
}

export function createUsersHandlers(deps: PeopleDeps): Handlers<typeof usersApi> {
  const { db, clock } = deps

  /** Locks the person, checks that the caller may change him, and returns the person as changed. */
  async function change(
    { caller, params, query }: Target,
    version: number | undefined,
    work: (tx: Tx, user: UserRow) => Promise<void>,
  ) {
    const merNo = companyOfCall(caller, query.merNo)
    return db.transaction(async (tx) => {
      const user = await lockPerson(tx, merNo, params.userId)
      if (user === undefined) throw new Problem('not-found', 'There is no such person.')
      if (version !== undefined && user.version !== version)
        throw new Problem('conflict', 'Somebody changed this person meanwhile. Reload the page.')
      await requireMayChange(tx, caller, merNo, user.role)
      await work(tx, user)
      const changed = await lockUser(tx, merNo, params.userId)
      const { factors } = await factorsOf(tx, { merNo, userId: params.userId })
      return toUser(changed ?? user, factors.length > 0)
    })
  }
  const by = (caller: Caller, reason?: string) => {
    return { actor: actorOf(caller), now: clock.now(), ...(reason !== undefined && { reason }) }
  }

  return {
    async 'GET /users'({ caller, query }) {
      const merNo = companyOfCall(caller, query.merNo)
      const found = await selectUsers(db, merNo, query.after ?? '', PAGE_ROWS + 1)
      const rows = found.slice(0, PAGE_ROWS)
      const last = found.length > PAGE_ROWS ? rows.at(-1) : undefined
      return {
        rows: rows.map((row) => toUser(row, row.totp_secret !== null || row.has_passkey)),
        ...(last && { next: last.user_id }),
      }
    },

    async 'POST /users'({ caller, query, body }) {
      return { userId: await inviteUser(deps, caller, companyOfCall(caller, query.merNo), body) }
    },

    'PUT /users/:userId': (call) =>
      change(call, call.body.version, async (tx, user) => {
        await requireMayGrant(tx, call.caller, Number(user.mer_no), call.body.role)
        await changeRole(tx, user, call.body.role, by(call.caller))
      }),

    'POST /users/:userId/disable': (call) =>
      change(call, call.body.version, async (tx, user) => {
        if (user.user_id === call.caller.userId)
          throw new Problem('refused', 'You cannot disable yourself. Ask a colleague.')
        await disableUser(tx, user, by(call.caller, call.body.reason))
      }),

    async 'POST /users/:userId/enable'(call) {
      const company = await deps.companyOf(companyOfCall(call.caller, call.query.merNo))
      return change(call, call.body.version, async (tx, user) => {
        await enableUser(tx, user, by(call.caller))
        await takeInvitation(deps, Number(user.mer_no), user.email)
        await sendInvitation(tx, deps, invitedOf(user), company)
      })
    },

    async 'POST /users/:userId/resend'(call) {
      const company = await deps.companyOf(companyOfCall(call.caller, call.query.merNo))
      await change(call, undefined, async (tx, user) => {
        if (user.state !== 'invited') throw new Problem('refused', 'This person has no open invitation.')
        await takeInvitation(deps, Number(user.mer_no), user.email)
        await sendInvitation(tx, deps, invitedOf(user), company)
        const entry = { merNo: Number(user.mer_no), at: clock.now(), actor: actorOf(call.caller) }
        await writeAudit(tx, { ...entry, action: 'user.resend-invitation', subject: user.email })
      })
      return {}
    },

    'POST /users/:userId/reset-factor': (call) =>
      change(call, call.body.version, (tx, user) =>
        resetFactor(tx, deps.vault, user, by(call.caller, call.body.reason)),
      ),

    async 'GET /roles'({ caller, query }) {
      const merNo = companyOfCall(caller, query.merNo)
      const rows = await listRoles(deps, merNo)
      return { rows, grantable: caller.merNo === merNo ? [...caller.permissions] : [] }
    },
    'POST /roles': ({ caller, query, body }) =>
      createRole(deps, caller, { merNo: companyOfCall(caller, query.merNo), ...body }),
    'PUT /roles/:role': ({ caller, query, params, body }) =>
      changeRolePermissions(deps, caller, { merNo: companyOfCall(caller, query.merNo), ...params, ...body }),
    async 'DELETE /roles/:role'({ caller, query, params }) {
      await deleteRole(deps, caller, { merNo: companyOfCall(caller, query.merNo), ...params })
      return {}
    },

    async 'GET /sign-in-rules'({ caller, query }) {
      const merNo = companyOfCall(caller, query.merNo)
      const { factor_required, version } = await selectRules(db, merNo)
      return { factorRequired: merNo === PLATFORM || factor_required, version }
    },

    async 'PUT /sign-in-rules'({ caller, query, body: { factorRequired, version } }) {
      const merNo = companyOfCall(caller, query.merNo)
      if (merNo === PLATFORM)
        throw new Problem('refused', 'Operators always need a second factor. This cannot be changed.')
      await db.transaction(async (tx) => {
        if (!(await upsertRules(tx, { merNo, factorRequired, version })))
          throw new Problem('conflict', 'Somebody changed this meanwhile. Reload the page.')
        if (factorRequired) await demandFactors(tx, merNo)
        const entry = { merNo, at: clock.now(), actor: actorOf(caller), subject: String(merNo) }
        await writeAudit(tx, { ...entry, action: 'sign-in-rules.edit', after: { factorRequired } })
      })
      return { factorRequired, version: version + 1 }
    },
  }
}

function toUser(row: UserRow, hasFactor: boolean) {
  const { user_id: userId, email, name, role, state, version } = row
  const createdAt = row.created_at.toISOString()
  const signedInAt = row.signed_in_at?.toISOString() ?? null
  return { userId, email, name, role, state, hasFactor, createdAt, signedInAt, version }
}
