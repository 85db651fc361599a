// One audit under way: what it has found, and the sums of merchants that are not complete yet. Slices come in order of their
// keys. When a slice ends within a merchant, all merchants before it are complete, and their sums are compared.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EntrySum } from '../ledger/entry-sum.ts'
import { type Difference, sumEntries, type Verification, verifyBalances } from '../ledger/verify-ledger.ts'
import type { Tx } from '../postgres/db.ts'
import type { KeyRange, MerchantRange } from '../postgres/key-range.ts'
import { AddedSums } from './added-sums.ts'
import type { Check, Finding } from './check.ts'
import { type OrderSum, platformSums } from './checks/order-sums.ts'
import { checkSlice, checkSums, isBusy, selectOrderSums } from './sql.ts'

export type Found = Verification & { readonly orders: number; readonly findings: readonly Finding[] }

/** A query that is no longer than a batch of payments needs no rest. */
const UNNOTICED_MS = 5
const MAX_REST_MS = 250
/** Findings kept per check: they are logged one by one, and more would not help an operator. */
const MAX_FINDINGS = 1_000

export class Audit {
  readonly #tx: Tx
  readonly #checks: readonly Check[]
  readonly #signal: AbortSignal | undefined
  readonly #findings: Finding[] = []
  /** Findings by check. */
  readonly #counts = new Map<string, number>()
  readonly #differences: Difference[] = []
  readonly #orderSums = new AddedSums<OrderSum>()
  readonly #platformSums = new AddedSums<OrderSum>()
  readonly #entrySums = new AddedSums<EntrySum>()
  /** The first merchant that is not complete. */
  #first = 0
  #orders = 0
  #entries = 0
  #accounts = 0

  constructor(tx: Tx, checks: readonly Check[], signal: AbortSignal | undefined) {
    this.#tx = tx
    this.#checks = checks
    this.#signal = signal
  }

  async checkSlice(slice: KeyRange): Promise<void> {
    const checks = this.#checksOver(undefined)
    this.#keep(await this.#run((tx) => checkSlice(tx, checks, slice)))
    this.#orderSums.add(await this.#run((tx) => selectOrderSums(tx, slice)))
    this.#entrySums.add(await this.#run((tx) => sumEntries(tx, slice)))
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

  /** After the last slice: the platform's limits count the orders of all merchants. */
  checkPlatform(): Promise<void> {
    return this.#checkSums('platform sums', { first: 0, last: 0 }, this.#platformSums.takeUpTo(0))
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

  /** Rests after a query as long as it took while others use the database, so that payments get their share of it. */
  async #run<Result>(query: (tx: Tx) => Promise<Result>): Promise<Result> {
    this.#signal?.throwIfAborted()
    const started = performance.now()
    const result = await query(this.#tx)
    const tookMs = performance.now() - started
    if (tookMs > UNNOTICED_MS && (await isBusy(this.#tx))) await sleep(Math.min(tookMs, MAX_REST_MS))
    return result
  }
}
