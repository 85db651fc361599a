import { PassThrough } from 'node:stream'
import { UNSETTLED } from '../../../money/ledger/account.ts'
import { bookedCurrencies } from '../../../money/ledger/read-balances.ts'
import {
  type StatementQuery,
  type Sums,
  sumFees,
  sumStatement,
  writeStatement,
} from '../../../money/ledger/statement.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { type DueDay, listReserves, listSettlements } from '../../../money/order-queries/list-dues.ts'
import { type Caller, merchantOf } from '../../../people/roles/caller.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { writeCsv } from '../../../platform/base/csv.ts'
import { isCurrency } from '../../../platform/base/currency.ts'
import { addDays, localDay, startOfDay } from '../../../platform/base/local-day.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { recordDownload } from '../audit-lines.ts'
import { toMoney } from '../money.ts'
import type { Handlers } from '../route.ts'
import type { statementsApi } from './api.ts'

export type StatementHandlerDeps = {
  readonly db: Db
  readonly clock: Clock
  findMerchant(merNo: number): Merchant | Promise<Merchant | undefined>
}

const CSV = 'text/csv; charset=utf-8'

export function createStatementHandlers(deps: StatementHandlerDeps): Handlers<typeof statementsApi> {
  const { db, clock } = deps

  async function merchantFor(caller: Caller, named: number | undefined): Promise<Merchant> {
    const merchant = await deps.findMerchant(merchantOf(caller, named))
    if (merchant === undefined) throw new Problem('not-found', 'There is no such merchant.')
    return merchant
  }

  async function spanOf(caller: Caller, query: Period) {
    const { merNo, timezone } = await merchantFor(caller, query.merNo)
    const [from, to] = [readDay(query.from, 'from'), readDay(query.to, 'to')]
    if (to < from)
      throw new Problem('invalid', 'The period ends before it begins.', { to: 'Choose a later day.' })
    return { merNo, from: startOfDay(from, timezone), until: startOfDay(addDays(to, 1), timezone) }
  }

  async function statementOf(caller: Caller, query: Period & { readonly currency: string }) {
    const { currency } = query
    if (!isCurrency(currency))
      throw new Problem('invalid', 'Choose a currency.', { currency: 'Choose a currency.' })
    return { ...(await spanOf(caller, query)), currency }
  }

  async function feesOf(caller: Caller, query: Period) {
    const fees = await sumFees(db, await spanOf(caller, query))
    const lines = fees.map(({ step, entries, currency, amount }) => {
      return { step, entries, money: toMoney({ amount, currency }) }
    })
    const totals = [...Map.groupBy(fees, ({ currency }) => currency)].map(([currency, own]) =>
      toMoney({ amount: own.reduce((sum, { amount }) => sum + amount, 0n), currency }),
    )
    return { lines, totals }
  }

  return {
    async 'GET /statements'({ caller, query }) {
      const { merNo, name, timezone } = await merchantFor(caller, query.merNo)
      const currencies = await bookedCurrencies(db, merNo)
      return { company: name, timezone, today: localDay(clock.now(), timezone), currencies }
    },

    async 'GET /statement'({ caller, query }) {
      const { currency } = query
      const { opening, closing, steps } = await sumStatement(db, await statementOf(caller, query))
      const balances = ({ available, unsettled }: Sums) => ({
        available: toMoney({ amount: available, currency }),
        unsettled: toMoney({ amount: unsettled, currency }),
      })
      return {
        opening: balances(opening),
        closing: balances(closing),
        steps: steps.map(({ account, step, entries, amount }) => ({
          account: account === UNSETTLED ? 'unsettled' : 'available',
          step,
          entries,
          money: toMoney({ amount, currency }),
        })),
      }
    },

    async 'GET /statement.csv'({ caller, query }) {
      const wanted = await statementOf(caller, query)
      const name = `statement-${wanted.merNo}-${query.currency}-${query.from}-${query.to}.csv`
      await recordDownload(deps, caller, { merNo: wanted.merNo, subject: name, holds: query })
      return { name, type: CSV, content: streamStatement(db, wanted) }
    },

    'GET /invoice': ({ caller, query }) => feesOf(caller, query),

    async 'GET /invoice.csv'({ caller, query }) {
      const { lines } = await feesOf(caller, query)
      const name = `fees-${query.from}-${query.to}.csv`
      await recordDownload(deps, caller, {
        merNo: merchantOf(caller, query.merNo),
        subject: name,
        holds: query,
      })
      const content = async function* () {
        yield writeCsv(['fee', 'entries', 'amount', 'currency'])
        for (const { step, entries, money } of lines)
          yield writeCsv([step, String(entries), money.amount, money.currency])
      }
      return { name, type: CSV, content: content() }
    },

    async 'GET /settlements/coming'({ caller, query }) {
      const { merNo, timezone } = await merchantFor(caller, query.merNo)
      const [settlements, reserves] = await Promise.all([
        listSettlements(db, merNo, timezone),
        listReserves(db, merNo, timezone),
      ])
      return { settlements: settlements.map(toDue), reserves: reserves.map(toDue) }
    },
  }
}

type Period = { readonly merNo?: number; readonly from: string; readonly to: string }

/**
 * Streams a statement with back-pressure. If the browser is slow, the transaction that reads the statement stays open
 * longer. Nothing else waits.
 */
function streamStatement(db: Db, query: StatementQuery): AsyncIterable<Buffer> {
  const stream = new PassThrough()
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()))
    })
  writeStatement(db, query, write).then(
    () => stream.end(),
    (error: Error) => stream.destroy(error),
  )
  return stream
}

function readDay(text: string, field: 'from' | 'to'): string {
  if (!Number.isNaN(Date.parse(text)) && addDays(text, 0) === text) return text
  const advice = 'Choose a day such as 2026-01-31.'
  throw new Problem('invalid', advice, { [field]: advice })
}

function toDue({ day, orders, money }: DueDay) {
  const { amount, currency } = money
  return { day, orders, money: { amount: formatAmount(amount, currency), currency } }
}
