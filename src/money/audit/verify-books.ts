// Checks the books against every rule, in one consistent snapshot: the audit does not see changes that are made while
// it runs. The audit takes no row locks and reads a few thousand orders at a time. If another session is active after a
// query of more than a few milliseconds, the audit rests and continues on one connection.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/base/clock.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { KeyRange, MerchantRange } from '../../platform/postgres/key-range.ts'
import type { EntrySum } from '../ledger/entry-sum.ts'
import { oldestDelta } from '../ledger/read-balances.ts'
import { type Difference, sumEntries, type Verification, verifyBalances } from '../ledger/verify-ledger.ts'
import type { Check, Finding } from './check.ts'
import { accountChecks } from './checks/accounts.ts'
import { afterPaymentChecks } from './checks/after-payment.ts'
import { approvalChecks } from './checks/approvals.ts'
import { attemptChecks } from './checks/attempts.ts'
import { batchChecks } from './checks/batches.ts'
import { beneficiaryChecks } from './checks/beneficiaries.ts'
import { correctionChecks, entryChecks } from './checks/bookings.ts'
import { causeChecks } from './checks/causes.ts'
import { depositChecks } from './checks/deposits.ts'
import { disputeChecks } from './checks/disputes.ts'
import { dueChecks } from './checks/dues.ts'
import { timeChecks } from './checks/history.ts'
import { linkChecks } from './checks/links.ts'
import { loggedRowChecks } from './checks/logged-rows.ts'
import { notificationChecks } from './checks/notifications.ts'
import { type OrderSum, platformSums } from './checks/order-sums.ts'
import { historyChecks, orderChecks } from './checks/orders.ts'
import { payoutChecks } from './checks/payouts.ts'
import { rateChecks } from './checks/rates.ts'
import { statementChecks } from './checks/statements.ts'
import { sumChecks } from './checks/sums.ts'
import { suspenseChecks } from './checks/suspense.ts'
import { workListChecks } from './checks/work-lists.ts'
import {
  type Corrections,
  checkPlatform,
  checkSlice,
  checkSums,
  countMerchants,
  inSnapshot,
  isBusy,
  type Snapshot,
  selectCorrections,
  selectOrderSums,
  slicesOf,
} from './sql.ts'

/** The checks of money: orders, refunds, chargebacks, payouts, suspense, the ledger, and the stored sums. */
export const moneyChecks: readonly Check[] = [
  ...orderChecks,
  ...historyChecks,
  ...timeChecks,
  ...attemptChecks,
  ...dueChecks,
  ...afterPaymentChecks,
  ...payoutChecks,
  ...suspenseChecks,
  ...accountChecks,
  ...correctionChecks,
  ...entryChecks,
  ...causeChecks,
  ...sumChecks,
]

/** The checks of records that book no money themselves, such as deposits, statements, notifications and approvals. */
const recordChecks: readonly Check[] = [
  ...depositChecks,
  ...statementChecks,
  ...disputeChecks,
  ...notificationChecks,
  ...approvalChecks,
  ...loggedRowChecks,
  ...beneficiaryChecks,
  ...linkChecks,
  ...batchChecks,
  ...workListChecks,
  ...rateChecks,
]

export const checks: readonly Check[] = [...moneyChecks, ...recordChecks]

export type Books = Verification & {
  readonly orders: number
  readonly merchants: number
  readonly findings: readonly Finding[]
  /** The correcting entries of operators. A correcting entry is not a finding. */
  readonly corrections: Corrections
  /** The age of the oldest delta (a change of balances) that is not folded yet. Undefined if there is none. */
  readonly oldestDeltaSeconds: number | undefined
}

export type Progress = { readonly done: number; readonly total: number }

type VerifyDeps = {
  readonly db: Db
  readonly clock: Clock
  /** If the signal is aborted, the audit throws the signal's reason after the current query. */
  readonly signal?: AbortSignal
  readonly ordersPerSlice?: number
  /** With 2 connections, the audit checks two slices at a time while no other session uses the database. Default: 1. */
  readonly connections?: 1 | 2
}

/** A slice of this size takes some tenths of a second, in several statements. */
const ORDERS_PER_SLICE = 5_000

export function verifyBooks(
  { db, clock, signal, ordersPerSlice = ORDERS_PER_SLICE, connections = 1 }: VerifyDeps,
  report: (progress: Progress) => void = () => {},
): Promise<Books> {
  return inSnapshot(db, connections, async (snapshot) => {
    const { tx } = snapshot
    const slices = await slicesOf(tx, ordersPerSlice)
    const audit = new Audit(snapshot, checks, signal)
    for (let done = 0; done < slices.length; ) {
      report({ done, total: slices.length })
      done += await audit.checkNext(slices.slice(done))
    }
    await audit.checkPlatform()
    report({ done: slices.length, total: slices.length })
    const merchants = await countMerchants(tx)
    const corrections = await selectCorrections(tx)
    return { ...audit.found(), merchants, corrections, oldestDeltaSeconds: await oldestDelta(tx, clock) }
  })
}

export function isSound({ differences, findings }: Books): boolean {
  return differences.length === 0 && findings.length === 0
}

export function ruleOf(name: string): string {
  return checks.find((check) => check.name === name)?.rule ?? name
}

// The state of a running audit: its findings, and sums that are collected for each merchant. Slices are checked in
// order of their keys. When a slice ends within a merchant's orders, the sums of all previous merchants are complete.
// Then the checks of sums compare them with the stored ones.

type SliceResults = {
  readonly findings: readonly Finding[]
  readonly orderSums: readonly OrderSum[]
  readonly entrySums: readonly EntrySum[]
}

type Found = Verification & { readonly orders: number; readonly findings: readonly Finding[] }

/** The audit rests only after a query that took longer than this. A batch of payments takes as long. */
const UNNOTICED_MS = 5
const MAX_REST_MS = 250
/** The maximum number of findings per check. Every finding is logged, and more findings would not help an operator. */
const MAX_FINDINGS = 1_000

class Audit {
  readonly #tx: Tx
  readonly #second: Tx | undefined
  readonly #sessions: readonly number[]
  readonly #checks: readonly Check[]
  readonly #signal: AbortSignal | undefined
  readonly #findings: Finding[] = []
  /** The number of findings by check. */
  readonly #counts = new Map<string, number>()
  readonly #differences: Difference[] = []
  readonly #orderSums = new AddedSums<OrderSum>()
  readonly #platformSums = new AddedSums<OrderSum>()
  readonly #entrySums = new AddedSums<EntrySum>()
  /** The first merchant whose sums are not compared yet. */
  #first = 0
  #orders = 0
  #entries = 0
  #accounts = 0

  /** True if another session used the database when the last query of more than UNNOTICED_MS ended. */
  #isBusy = false

  constructor({ tx, second, sessions }: Snapshot, checks: readonly Check[], signal: AbortSignal | undefined) {
    this.#tx = tx
    this.#second = second
    this.#sessions = sessions
    this.#checks = checks
    this.#signal = signal
  }

  /** Checks the first slice, and the second at the same time if possible. Returns the number of checked slices. */
  async checkNext([slice, next]: readonly KeyRange[]): Promise<number> {
    assert(slice !== undefined, 'there is a slice')
    if (next === undefined || this.#second === undefined || this.#isBusy) {
      await this.#take(slice, await this.#read(this.#tx, slice))
      return 1
    }
    // The error is thrown after both reads have ended, because a connection must not be used after its transaction.
    const [one, other] = await Promise.allSettled([
      this.#read(this.#tx, slice),
      this.#read(this.#second, next),
    ])
    if (one.status === 'rejected') throw one.reason
    if (other.status === 'rejected') throw other.reason
    await this.#take(slice, one.value)
    await this.#take(next, other.value)
    return 2
  }

  async #read(tx: Tx, slice: KeyRange): Promise<SliceResults> {
    const checks = this.#checksOver(undefined)
    const findings = await this.#run((tx) => checkSlice(tx, checks, slice), tx)
    const orderSums = await this.#run((tx) => selectOrderSums(tx, slice), tx)
    return { findings, orderSums, entrySums: await this.#run((tx) => sumEntries(tx, slice), tx) }
  }

  async #take(slice: KeyRange, { findings, orderSums, entrySums }: SliceResults): Promise<void> {
    this.#keep(findings)
    this.#orderSums.add(orderSums)
    this.#entrySums.add(entrySums)
    const last = slice.before.merNo - 1
    if (last >= this.#first) await this.#compareSums({ first: this.#first, last })
  }

  async #compareSums(merchants: MerchantRange): Promise<void> {
    const sums = this.#orderSums.takeUpTo(merchants.last)
    await this.#checkSums('merchant sums', merchants, sums)
    const entries = this.#entrySums.takeUpTo(merchants.last)
    const ledger = await this.#run((tx) => verifyBalances(tx, merchants, entries))
    this.#differences.push(...ledger.differences)
    this.#platformSums.add(platformSums(sums))
    this.#orders += sums.reduce((total, { sums: [orders] }) => total + Number(orders), 0)
    this.#entries += ledger.entries
    this.#accounts += ledger.accounts
    this.#first = merchants.last + 1
  }

  /**
   * Checks the platform's limits, which count the orders of all merchants, and tables of the whole platform. Called
   * after the last slice.
   */
  async checkPlatform(): Promise<void> {
    await this.#checkSums('platform sums', { first: 0, last: 0 }, this.#platformSums.takeUpTo(0))
    for (const check of this.#checksOver('platform'))
      this.#keep(await this.#run((tx) => checkPlatform(tx, check)))
  }

  async #checkSums(over: Check['over'], merchants: MerchantRange, sums: readonly OrderSum[]): Promise<void> {
    for (const check of this.#checksOver(over))
      this.#keep(await this.#run((tx) => checkSums(tx, check, merchants, sums)))
  }

  #keep(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const count = (this.#counts.get(finding.check) ?? 0) + 1
      this.#counts.set(finding.check, count)
      if (count <= MAX_FINDINGS) this.#findings.push(finding)
    }
  }

  #checksOver(over: Check['over']): readonly Check[] {
    return this.#checks.filter((check) => check.over === over)
  }

  found(): Found {
    return {
      orders: this.#orders,
      entries: this.#entries,
      accounts: this.#accounts,
      findings: this.#findings,
      differences: this.#differences,
    }
  }

  /**
   * Runs a query. If the query took more than UNNOTICED_MS and another session is active, rests as long as the query
   * took, at most MAX_REST_MS.
   */
  async #run<Result>(query: (tx: Tx) => Promise<Result>, tx = this.#tx): Promise<Result> {
    this.#signal?.throwIfAborted()
    const started = performance.now()
    const result = await query(tx)
    const tookMs = performance.now() - started
    if (tookMs > UNNOTICED_MS) {
      this.#isBusy = await isBusy(tx, this.#sessions)
      if (this.#isBusy) await sleep(Math.min(tookMs, MAX_REST_MS))
    }
    return result
  }
}

/** A row of sums. Every slice yields a part of each sum. All columns except `sums` are the key. */
type SumRow = { readonly mer_no: bigint; readonly sums: readonly string[] }

class AddedSums<Row extends SumRow> {
  readonly #byKey = new Map<string, Row>()

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const key = Object.values({ ...row, sums: '' }).join(' ')
      const before = this.#byKey.get(key)
      this.#byKey.set(key, before === undefined ? row : { ...row, sums: added(before.sums, row.sums) })
    }
  }

  /** Removes and returns the sums of merchants up to this number. */
  takeUpTo(merNo: number): Row[] {
    const taken = [...this.#byKey].filter(([, row]) => row.mer_no <= merNo)
    for (const [key] of taken) this.#byKey.delete(key)
    return taken.map(([, row]) => row)
  }
}

function added(some: readonly string[], others: readonly string[]): string[] {
  return some.map((sum, at) => (BigInt(sum) + BigInt(others[at] ?? 0)).toString())
}
