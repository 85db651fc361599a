import { type Books, isSound, ruleOf, verifyBooks } from '../../../money/audit/verify-books.ts'
import { accountsOf, browseEntries, entriesOf, trialBalance } from '../../../money/ledger/browse.ts'
import { actorOf } from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import { idsFrom, merNoOf } from '../../../platform/base/id.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import type { Handlers } from '../route.ts'
import { type RunDeps, startRun } from '../runs/run.ts'
import { selectRuns } from '../runs/sql.ts'
import { describeRun } from '../runs/wire.ts'
import { PAGE_ROWS } from '../schemas.ts'
import type { booksApi } from './api.ts'

export type BooksDeps = RunDeps

const RUNS_SHOWN = 10
/** The maximum number of findings in a reply. The command line shows all findings. */
const FINDINGS_SHOWN = 100
/** The first letter of the ids of each kind, and the next letter of the alphabet, which ends the range of these ids. */
const letters = {
  orders: ['T', 'U'],
  refunds: ['R', 'S'],
  chargebacks: ['C', 'D'],
  corrections: ['K', 'L'],
} as const

export function createBooksHandlers(deps: BooksDeps): Handlers<typeof booksApi> {
  const { db, clock } = deps
  return {
    async 'GET /books/balances'({ query }) {
      const accounts = await accountsOf(db, query.merNo)
      const balances = accounts.map(({ account, currency, debits, credits }) => {
        const text = (amount: bigint) => formatAmount(amount, currency)
        return {
          account,
          currency,
          debits: text(debits),
          credits: text(credits),
          balance: text(credits - debits),
        }
      })
      return { balances }
    },

    async 'GET /books/entries'({ query }) {
      const { merNo, subject, kind = 'orders', until, after } = query
      const range = { merNo, ...rangeOf(kind, until), after: readAfter(after) }
      const found =
        subject === undefined
          ? await browseEntries(db, range, PAGE_ROWS + 1)
          : await entriesOf(db, merNo ?? merNoOf(subject) ?? PLATFORM, subject)
      const rows = found.slice(0, PAGE_ROWS).map((row) => {
        return { ...row, amount: formatAmount(row.amount, row.currency), at: row.at.toISOString() }
      })
      const last = rows.at(-1)
      return { rows, ...(found.length > PAGE_ROWS && last && { next: `${last.subject}~${last.step}` }) }
    },

    async 'GET /books/trial-balance'() {
      const sums = await trialBalance(db)
      const currencies = [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, accounts]) => {
        const text = (amount: bigint) => formatAmount(amount, currency)
        const total = (side: 'debits' | 'credits') => accounts.reduce((sum, one) => sum + one[side], 0n)
        return {
          currency,
          debits: text(total('debits')),
          credits: text(total('credits')),
          isBalanced: total('debits') === total('credits'),
          accounts: accounts.map(({ account, debits, credits }) => {
            return { account, debits: text(debits), credits: text(credits) }
          }),
        }
      })
      return { currencies }
    },

    async 'GET /books/verify'() {
      return { runs: (await selectRuns(db, 'verify', RUNS_SHOWN)).map(describeRun) }
    },

    async 'POST /books/verify'({ caller }) {
      const runId = await startRun(deps, { kind: 'verify', by: actorOf(caller) }, async (report) => {
        const books = await verifyBooks({ db, clock }, (progress) => report({ ...progress }))
        const { orders, entries, accounts, merchants, differences, findings } = books
        return {
          isSound: isSound(books),
          orders,
          entries,
          accounts,
          merchants,
          differences: differences.slice(0, FINDINGS_SHOWN).map(inAmounts),
          findings: findings.slice(0, FINDINGS_SHOWN).map((one) => ({ ...one, rule: ruleOf(one.check) })),
        }
      })
      return { runId }
    },
  }
}

function inAmounts({ balance, entries, ...rest }: Books['differences'][number]) {
  const amount = (minor: string) => formatAmount(BigInt(minor), rest.currency)
  return { ...rest, balance: amount(balance), entries: amount(entries) }
}

function rangeOf(kind: keyof typeof letters, until: string | undefined) {
  const [letter, next] = letters[kind]
  return { first: letter, last: until === undefined ? next : idsFrom(letter, new Date(until)) }
}

function readAfter(text: string | undefined): { subject: string; step: string } | undefined {
  const [subject, step] = text?.split('~', 2) ?? []
  return subject === undefined || step === undefined ? undefined : { subject, step }
}
