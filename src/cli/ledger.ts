import type { Finding } from '../audit/check.ts'
import { type Books, isSound, ruleOf, verifyBooks } from '../audit/verify-books.ts'
import { formatAmount } from '../base/money.ts'
import type { Difference } from '../ledger/verify-ledger.ts'
import type { Command } from './command.ts'
import { section } from './print.ts'

/** Lines of progress, at most. */
const REPORTS = 20

const verify: Command = {
  name: 'ledger verify',
  summary: 'Check that balances, orders and all related rows agree with the ledger entries',
  options: {},
  async run({ tools }) {
    const db = await tools.database()
    const books = await verifyBooks({ db, clock: tools.clock }, ({ done, total }) => {
      if (total > 2 && done % Math.ceil(total / REPORTS) === 0)
        tools.say(`verified ${done} of ${total} parts`)
    })
    return isSound(books)
      ? { json: books, text: `The ledger is sound: ${sizeOf(books)}.${waiting(books)}` }
      : { json: books, text: unsound(books), status: 1 }
  },
}

function sizeOf({ entries, accounts, orders, merchants }: Books): string {
  return `${entries} entries on ${accounts} accounts, ${orders} orders of ${merchants} merchants`
}

/** A worker folds deltas every few seconds; an older one shows that no worker runs. */
const LONG_S = 60

function waiting({ oldestDeltaSeconds = 0 }: Books): string {
  if (oldestDeltaSeconds < LONG_S) return ''
  const minutes = Math.round(oldestDeltaSeconds / 60)
  return `\nThe oldest booking has waited ${minutes} min to be added to its balance: check that a worker runs.`
}

function unsound(books: Books): string {
  const { differences, findings } = books
  const parts = [`The ledger is NOT sound (${sizeOf(books)}).`]
  if (differences.length > 0)
    parts.push(section('Balances that are not the sum of their entries:', differences.map(toRow)))
  for (const [check, found] of Map.groupBy(findings, (finding) => finding.check))
    parts.push(section(`${ruleOf(check)} (${check}):`, found.map(findingRow)))
  return parts.join('\n\n')
}

function findingRow({ merNo, subject, found, expected }: Finding): string[] {
  return [`merchant ${merNo}`, subject, `found ${found}`, `expected ${expected}`]
}

function toRow({ merNo, account, currency, balance, entries }: Difference): string[] {
  const amount = (minor: string) => `${formatAmount(BigInt(minor), currency)} ${currency}`
  return [`merchant ${merNo}`, account, `balance ${amount(balance)}`, `by its entries ${amount(entries)}`]
}

export const ledgerCommands: readonly Command[] = [verify]
