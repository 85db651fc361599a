import {
  changeRole,
  disableUser,
  enableUser,
  lockPerson,
  requireDisabled,
  resetFactor,
} from '../../../people/registration/change-user.ts'
import { invitedOf, inviteUser, sendInvitation, takeInvitation } from '../../../people/registration/invite.ts'
import {
  askForOwner,
  isOwnerStep,
  mailOwnerMade,
  type OwnerStep,
} from '../../../people/registration/owners.ts'
import { actorOf, type Caller, type PeopleDeps } from '../../../people/roles/caller.ts'
import { companyOfCall, requireMayChange, requireMayGrant } from '../../../people/roles/granting.ts'
import { grantable } from '../../../people/roles/permissions.ts'
import { changeRolePermissions, createRole, deleteRole, listRoles } from '../../../people/roles/roles.ts'
import { factorsOf } from '../../../people/sessions/begin-session.ts'
import { changeSignInRules, readSignInRules } from '../../../people/sessions/sign-in-rules.ts'
import { lockUser, selectUsers, type UserRow } from '../../../people/users/store-users.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { usersApi } from './api.ts'

type Target = {
  readonly caller: Caller
  readonly params: { readonly userId: string }
  readonly query: { readonly merNo?: number }
}

export function createUsersHandlers(deps: PeopleDeps): Handlers<typeof usersApi> {
  const { db, clock } = deps

  /**
   * Changes a person by `work`. Before that, locks the row of the person and checks that the caller may make the
   * change.
   */
  async function change(
    { caller, params, query }: Target,
    version: number | undefined,
    work: (tx: Tx, user: UserRow) => Promise<string | undefined>,
  ) {
    const merNo = companyOfCall(caller, query.merNo)
    return db.transaction(async (tx) => {
      const user = await lockPerson(tx, merNo, params.userId)
      if (user === undefined) throw new Problem('not-found', 'There is no such person.')
      if (version !== undefined && user.version !== version)
        throw new Problem('conflict', 'Somebody changed this person meanwhile. Reload the page.')
      await requireMayChange(tx, caller, merNo, user.role)
      const approvalId = await work(tx, user)
      const changed = await lockUser(tx, merNo, params.userId)
      const { factors } = await factorsOf(tx, { merNo, userId: params.userId })
      const shown = toUser(changed ?? user, factors.length > 0)
      return { ...shown, ...(approvalId !== undefined && { approvalId }) }
    })
  }
  /**
   * If the step makes an owner and needs an approval (see owners.ts), asks for the approval and returns its id.
   * Otherwise does `work`.
   */
  async function orAsk(
    tx: Tx,
    caller: Caller,
    user: UserRow,
    wanted: { readonly step: OwnerStep; readonly role: string; readonly reason?: string },
    work: () => Promise<void>,
  ): Promise<string | undefined> {
    const { step, role, reason } = wanted
    const { email, name, language, user_id: userId, version } = user
    const merNo = Number(user.mer_no)
    const isOwners = isOwnerStep(caller, step, merNo, role)
    const asked = { step, merNo, email, name, language, userId, version }
    const approvalId = isOwners
      ? await askForOwner(tx, deps, caller, { ...asked, ...(reason !== undefined && { reason }) })
      : undefined
    if (approvalId !== undefined) return approvalId
    await work()
    if (isOwners)
      await mailOwnerMade(tx, deps.vault, { merNo, email, step, by: [caller.email], now: clock.now() })
    return undefined
  }
  const by = (caller: Caller, reason?: string) => {
    return { actor: actorOf(caller), now: clock.now(), ...(reason !== undefined && { reason }) }
  }

  return {
    async 'GET /users'({ caller, query }) {
      const merNo = companyOfCall(caller, query.merNo)
      const found = await selectUsers(db, merNo, query.after ?? '', PAGE_ROWS + 1)
      const rows = found.map((row) => toUser(row, row.totp_secret !== null || row.has_passkey))
      return pageFrom(rows, ({ userId }) => userId)
    },

    async 'POST /users'({ caller, query, body }) {
      return inviteUser(deps, caller, companyOfCall(caller, query.merNo), body)
    },

    'PUT /users/:userId': (call) =>
      change(call, call.body.version, async (tx, user) => {
        const { role } = call.body
        if (user.role === role) return undefined
        await requireMayGrant(tx, call.caller, Number(user.mer_no), role)
        return orAsk(tx, call.caller, user, { step: 'change-role', role }, () =>
          changeRole(tx, user, role, by(call.caller)),
        )
      }),

    'POST /users/:userId/disable': (call) =>
      change(call, call.body.version, async (tx, user) => {
        if (user.user_id === call.caller.userId)
          throw new Problem('refused', 'You cannot disable yourself. Ask a colleague.')
        await disableUser(tx, user, by(call.caller, call.body.reason))
        return undefined
      }),

    async 'POST /users/:userId/enable'(call) {
      const company = await deps.companyOf(companyOfCall(call.caller, call.query.merNo))
      return change(call, call.body.version, async (tx, user) => {
        requireDisabled(user)
        await takeInvitation(deps, Number(user.mer_no), user.email)
        return orAsk(tx, call.caller, user, { step: 'enable', role: user.role }, async () => {
          await enableUser(tx, user, by(call.caller))
          await sendInvitation(tx, deps, invitedOf(user), company)
        })
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
        return undefined
      })
      return {}
    },

    'POST /users/:userId/reset-factor': (call) =>
      change(call, call.body.version, (tx, user) => {
        const { reason } = call.body
        if (user.user_id === call.caller.userId)
          throw new Problem('refused', 'You cannot reset your own second step. Ask a colleague.')
        return orAsk(tx, call.caller, user, { step: 'reset-factor', role: user.role, reason }, () =>
          resetFactor(tx, deps.vault, user, by(call.caller, reason)),
        )
      }),

    async 'GET /roles'({ caller, query }) {
      const merNo = companyOfCall(caller, query.merNo)
      const rows = await listRoles(deps, merNo)
      const own = grantable(merNo).filter((one) => caller.permissions.has(one))
      return { rows, grantable: caller.merNo === merNo ? own : [] }
    },
    'POST /roles': ({ caller, query, body }) =>
      createRole(deps, caller, { ...body, merNo: companyOfCall(caller, query.merNo) }),
    'PUT /roles/:role': ({ caller, query, params, body }) =>
      changeRolePermissions(deps, caller, { ...body, ...params, merNo: companyOfCall(caller, query.merNo) }),
    async 'DELETE /roles/:role'({ caller, query, params }) {
      await deleteRole(deps, caller, { ...params, merNo: companyOfCall(caller, query.merNo) })
      return {}
    },

    async 'GET /sign-in-rules'({ caller, query }) {
      return readSignInRules(db, companyOfCall(caller, query.merNo))
    },
    'PUT /sign-in-rules': ({ caller, query, body }) =>
      changeSignInRules(deps, caller, companyOfCall(caller, query.merNo), body),
  }
}

function toUser(row: UserRow, hasFactor: boolean) {
  const { user_id: userId, email, name, role, state, version } = row
  const createdAt = row.created_at.toISOString()
  const signedInAt = row.signed_in_at?.toISOString() ?? null
  return { userId, email, name, role, state, hasFactor, createdAt, signedInAt, version }
}
