import type { Finding } from '../../../money/audit/check.ts'
import { type Damaged, type PastMistake, reviewPast } from '../../../money/audit/review-past.ts'
import { type Books, isSound, ruleOf, verifyBooks } from '../../../money/audit/verify-books.ts'
import { correctBalance, readCorrected } from '../../../money/decisions/correct-balance.ts'
import { correctableAccounts } from '../../../money/ledger/account.ts'
import type { Difference } from '../../../money/ledger/verify-ledger.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Command } from '../command.ts'
import { commandActor, waitsForApproval, withDecisions } from '../shared/actor.ts'
import { plain, section } from '../shared/print.ts'
import { readReason, reasonOption } from '../shared/read-input.ts'
import { readMerNo } from '../shared/show-merchant.ts'

/** The maximum number of lines that report the progress. */
const REPORTS = 20

const verify: Command = {
  name: 'ledger verify',
  summary: 'Check that balances, orders and all related rows agree with the ledger entries',
  options: {},
  async run({ tools }) {
    const db = await tools.database()
    const books = await verifyBooks({ db, clock: tools.clock, connections: 2 }, ({ done, total }) => {
      if (total > 2 && done % Math.ceil(total / REPORTS) === 0)
        tools.say(`verified ${done} of ${total} parts`)
    })
    return isSound(books)
      ? { json: books, text: `The ledger is sound: ${sizeOf(books)}.${waiting(books)}${corrected(books)}` }
      : { json: books, text: unsound(books), status: 1 }
  },
}

function sizeOf({ entries, accounts, orders, merchants }: Books): string {
  return `${entries} entries on ${accounts} accounts, ${orders} orders of ${merchants} merchants`
}

/**
 * The age, in seconds, from which a delta of the ledger shows that no worker runs. A worker adds deltas to the balances
 * every few seconds.
 */
const LONG_S = 60

function waiting({ oldestDeltaSeconds = 0 }: Books): string {
  if (oldestDeltaSeconds < LONG_S) return ''
  const minutes = Math.round(oldestDeltaSeconds / 60)
  return `\nThe oldest booking has waited ${minutes} min to be added to its balance: check that a worker runs.`
}

function corrected({ corrections: { count, latest } }: Books): string {
  if (count === 0) return ''
  const rows = latest.map(({ at, merNo, from, to, amount, actor, reason }) =>
    [at, `merchant ${merNo}`, amount, `${from} to ${to}`, actor, reason].map(plain),
  )
  return `\n\n${section(`Correcting entries of operators (${count}):`, rows)}`
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

const correct: Command = {
  name: 'ledger correct',
  summary:
    'Book a correcting entry between two accounts of a merchant; a large one waits for a second person',
  options: {
    'mer-no': { value: 'MERNO', required: true, help: 'the merchant' },
    from: { value: 'ACCOUNT', required: true, help: `debited: ${correctableAccounts}` },
    to: { value: 'ACCOUNT', required: true, help: 'credited: one of the same accounts' },
    amount: { value: '10.00', required: true, help: 'the amount' },
    currency: { value: 'CUR', required: true, help: 'its currency' },
    reason: reasonOption,
  },
  async run({ given, tools }) {
    const merNo = readMerNo(given.text('mer-no') ?? '')
    const [from, to] = [given.text('from') ?? '', given.text('to') ?? '']
    const money = readCorrected(given.text('amount') ?? '', given.text('currency') ?? '')
    const wanted = { merNo, from, to, money, reason: readReason(given), actor: commandActor() }
    return withDecisions(tools, async (deps) => {
      const { correctionId, approvalId } = await correctBalance(deps, wanted)
      const json = { correctionId, approvalId: approvalId ?? null }
      const booked = `Booked ${given.text('amount')} ${money.currency} from ${from} to ${to} as ${correctionId}.`
      return { json, text: approvalId === undefined ? booked : waitsForApproval(approvalId) }
    })
  },
}

const reviewPastCommand: Command = {
  name: 'ledger review-past',
  summary:
    'List rows that mistakes of earlier versions may have damaged, and what to do; a later release removes this command',
  options: { skip: { value: 'N', help: 'leave out the N oldest rows of each mistake (default: 0)' } },
  async run({ given, tools }) {
    const skip = readSkip(given.text('skip'))
    const mistakes = await reviewPast(await tools.database(), skip)
    const none =
      skip === 0
        ? 'No row shows a trace of the mistakes of earlier versions.'
        : `No mistake has more than ${skip} rows.`
    return mistakes.length === 0
      ? { json: { mistakes }, text: none }
      : { json: { mistakes }, text: mistakes.map((one) => mistakeText(one, skip)).join('\n\n'), status: 1 }
  },
}

function readSkip(text = '0'): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new OperatorRefusal('--skip must be a whole number')
}

function mistakeText({ name, what, toDo, count, rows }: PastMistake, skip: number): string {
  const shown = skip + rows.length
  const more = count > shown ? `\n  and ${count - shown} more: add --skip ${shown}` : ''
  return `${section(`${what} (${name}, ${count}):`, rows.map(damagedRow))}${more}\n  What to do: ${toDo}`
}

function damagedRow({ merNo, subject, amount, currency, at, details }: Damaged): string[] {
  const facts = Object.entries(details).map(([name, fact]) => `${name} ${fact}`)
  return [at, `merchant ${merNo}`, subject, `${amount} ${currency}`, facts.join(', ')].map(plain)
}

export const ledgerCommands: readonly Command[] = [verify, reviewPastCommand, correct]
