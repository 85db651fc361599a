import {
  approveWebsite,
  changeState,
  removeMethodPlan,
  removeRoute,
  removeWebsite,
  setMethodPlan,
  setOptions,
  setRoute,
} from '../../../money/merchants/change-merchant.ts'
import { createMerchant } from '../../../money/merchants/create-merchant.ts'
import { type LookedAtMerchant, lookAtMerchant } from '../../../money/merchants/describe-merchant.ts'
import { listMerchants } from '../../../money/merchants/list-merchants.ts'
import { assignPlan } from '../../../money/merchants/named-plans.ts'
import { readMethod, readRoutedMethod } from '../../../money/merchants/options.ts'
import { requireNotOwner } from '../../../people/registration/owners.ts'
import { actorOf, type Caller } from '../../../people/roles/caller.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { isOfSandbox } from '../../../platform/runtime/open-database.ts'
import type { PayoutRails } from '../../../rails/routing/payout-routing.ts'
import type { Channels } from '../../../rails/routing/routing.ts'
import { routeProblem, servedBy } from '../../../rails/routing/served.ts'
import { edit, versionOf } from '../edit.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { merchantsApi } from './api.ts'
import { feeChanges, optionsAtFields } from './edit-terms.ts'

export type MerchantsDeps = {
  readonly db: Db
  readonly vault: Vault
  readonly mode: 'sandbox' | 'live'
  readonly clock: Clock
  readonly channels: Channels
  readonly rails: PayoutRails
}

type Wanted = {
  readonly version?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly reason: string
}

export function createMerchantsHandlers(deps: MerchantsDeps): Handlers<typeof merchantsApi> {
  const { db, vault, clock, channels, rails } = deps
  const look = (merNo: number) => (tx: Parameters<typeof lookAtMerchant>[0]) =>
    lookAtMerchant(tx, vault, merNo, clock.now())

  async function change(
    caller: Caller,
    { merNo, action, wanted }: { merNo: number; action: string; wanted: Wanted },
    work: (db: Db) => Promise<unknown>,
  ) {
    let before: LookedAtMerchant | undefined
    let after: LookedAtMerchant | undefined
    const { changes, version } = await edit(
      db,
      {
        look: async (tx) => {
          after = await look(merNo)(tx)
          before ??= after
          return after
        },
        seen: wanted.version,
        dryRun: wanted.dryRun,
        line: {
          merNo,
          at: clock.now(),
          actor: actorOf(caller),
          action,
          subject: String(merNo),
          reason: wanted.reason,
        },
      },
      work,
    )
    const fees = before === undefined || after === undefined ? [] : feeChanges(before, after)
    return { changes, fees, version }
  }

  return {
    async 'GET /merchants'({ query }) {
      const { after, ...filter } = query
      const found = await listMerchants(
        db,
        { ...filter, ...(after !== undefined && { after: Number(after) || 0 }) },
        PAGE_ROWS + 1,
      )
      return pageFrom(found, ({ merNo }) => String(merNo))
    },

    async 'GET /merchants/:merNo'({ params }) {
      const merchant = await db.transaction(look(params.merNo)).catch((error: unknown) => {
        if (!(error instanceof OperatorRefusal)) throw error
        throw new Problem('not-found', 'There is no such merchant.')
      })
      return { merchant, version: versionOf(merchant) }
    },

    async 'POST /merchants'({ caller, body }) {
      const { reason, pending = false, logo, ...texts } = body
      const now = clock.now()
      const options = optionsAtFields({ ...texts, logo })
      const line = (made: unknown) => {
        const merNo = typeof made === 'object' && made !== null && 'merNo' in made ? Number(made.merNo) : 0
        const subject = String(merNo)
        return {
          merNo,
          at: now,
          actor: actorOf(caller),
          action: 'merchant.create',
          subject,
          after: { ...texts, pending, ...(logo !== undefined && { logo: logo !== 'none' }) },
          reason,
        }
      }
      const made = await audited(db, line).transaction(async (tx) =>
        createMerchant(tx, vault, { options, pending, hasOpeningBalances: await isOfSandbox(tx), now }),
      )
      const { merNo, ...secrets } = made
      const maySee = deps.mode === 'sandbox' || caller.permissions.has('keys.secret')
      return { merNo, ...(maySee && secrets) }
    },

    'PUT /merchants/:merNo': ({ caller, params: { merNo }, body }) =>
      change(caller, { merNo, action: 'merchant.set', wanted: body }, (to) =>
        setOptions(to, merNo, optionsAtFields(body.options), clock.now()),
      ),

    async 'POST /merchants/:merNo/state'({ caller, params: { merNo }, body }) {
      const { transition } = body
      if (transition === 'approve') await requireNotOwner(db, caller, merNo)
      return change(caller, { merNo, action: `merchant.${transition}`, wanted: body }, (to) =>
        changeState(to, merNo, transition),
      )
    },

    'PUT /merchants/:merNo/plans/:method': ({ caller, params: { merNo, method }, body }) =>
      change(caller, { merNo, action: 'merchant.plan', wanted: body }, (to) =>
        setMethodPlan(to, merNo, readMethod(method), optionsAtFields(body.terms)),
      ),

    'DELETE /merchants/:merNo/plans/:method': ({ caller, params: { merNo, method }, body }) =>
      change(caller, { merNo, action: 'merchant.plan', wanted: body }, (to) =>
        removeMethodPlan(to, merNo, readMethod(method)),
      ),

    'PUT /merchants/:merNo/fee-plan': ({ caller, params: { merNo }, body }) =>
      change(caller, { merNo, action: 'fee-plan.assign', wanted: body }, (to) =>
        assignPlan(to, merNo, body.plan ?? undefined),
      ),

    'PUT /merchants/:merNo/routes/:method/:channel': ({ caller, params, body }) => {
      const { merNo, method, channel } = params
      const { priority, weight } = body
      const problem = routeProblem(
        { method: readRoutedMethod(method), channel },
        servedBy(channels.all, rails.all),
      )
      if (problem !== undefined) throw new OperatorRefusal(problem, 'channel')
      return change(caller, { merNo, action: 'merchant.route', wanted: body }, (to) =>
        setRoute(to, merNo, readRoutedMethod(method), { channel, priority, weight }),
      )
    },

    'DELETE /merchants/:merNo/routes/:method/:channel': ({ caller, params, body }) =>
      change(caller, { merNo: params.merNo, action: 'merchant.route', wanted: body }, (to) =>
        removeRoute(to, params.merNo, readRoutedMethod(params.method), params.channel),
      ),

    'POST /merchants/:merNo/websites': ({ caller, params: { merNo }, body: { site, action, ...wanted } }) =>
      change(caller, { merNo, action: 'merchant.site', wanted }, (to) =>
        action === 'approve' ? approveWebsite(to, merNo, site, clock.now()) : removeWebsite(to, merNo, site),
      ),
  }
}
