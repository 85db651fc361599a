import { type ListedRate, listComingRates, listRates, rateHistory } from '../../../money/rates/list-rates.ts'
import { setRates } from '../../../money/rates/set-rate.ts'
import { actorOf } from '../../../people/roles/caller.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Handlers } from '../route.ts'
import type { ratesApi } from './api.ts'

export type RatesDeps = { readonly db: Db; readonly clock: Clock }

export function createRatesHandlers({ db, clock }: RatesDeps): Handlers<typeof ratesApi> {
  return {
    async 'GET /rates'({ query: { currency } }) {
      const now = clock.now()
      const [rates, coming] = await Promise.all([listRates(db, now), listComingRates(db, now)])
      const isWanted = ({ from, to }: ListedRate) =>
        currency === undefined || from === currency || to === currency
      return { rates: rates.filter(isWanted).map(describe), coming: coming.filter(isWanted).map(describe) }
    },

    async 'GET /rates/:from/:to'({ params }) {
      return { history: (await rateHistory(db, params.from, params.to)).map(describe) }
    },

    async 'POST /rates'({ caller, body: { from, to, rate, validFrom, confirm, reason } }) {
      const at = clock.now()
      const line = {
        merNo: 0,
        at,
        actor: actorOf(caller),
        action: 'fx.set',
        subject: `${from}/${to}`,
        after: {
          rate,
          validFrom: validFrom ?? at.toISOString(),
          ...(confirm === true && { confirmed: 'yes' }),
        },
        reason,
      }
      const terms = {
        now: at,
        validFrom: validFrom === undefined ? at : new Date(validFrom),
        isConfirmed: confirm,
      }
      return {
        derived: await audited(db, line).transaction((tx) => setRates(tx, [{ from, to, rate }], terms)),
      }
    },
  }
}

function describe({ from, to, rate, validFrom, isDerived }: ListedRate) {
  return { from, to, rate, validFrom: validFrom.toISOString(), isDerived }
}
