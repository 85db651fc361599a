import { audited } from '../../audit-log/audited-db.ts'
import type { Clock } from '../../base/clock.ts'
import type { Db } from '../../postgres/db.ts'
import { type ListedRate, listComingRates, listRates, rateHistory } from '../../rates/list-rates.ts'
import { setRates } from '../../rates/set-rate.ts'
import { actorOf } from '../caller.ts'
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

    async 'POST /rates'({ caller, body: { from, to, rate, validFrom, reason } }) {
      const at = clock.now()
      const line = {
        merNo: 0,
        at,
        actor: actorOf(caller),
        action: 'fx.set',
        subject: `${from}/${to}`,
        after: { rate, validFrom: validFrom ?? at.toISOString() },
        reason,
      }
      const validFromDate = validFrom === undefined ? at : new Date(validFrom)
      return {
        derived: await audited(db, line).transaction((tx) =>
          setRates(tx, [{ from, to, rate }], validFromDate),
        ),
      }
    },
  }
}

function describe({ from, to, rate, validFrom, isDerived }: ListedRate) {
  return { from, to, rate, validFrom: validFrom.toISOString(), isDerived }
}
