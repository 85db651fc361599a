// Simulates a chain watcher: it quotes prices, assigns addresses, and confirms transfers, with one block a second.
// Confirmations are computed from the clock, so they also grow while the watcher is down.
//
// The watcher has the interface of a bank. A transfer becomes a deposit in the bank's book once it has enough
// confirmations.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../../src/platform/base/clock.ts'
import { parseRate } from '../../src/platform/base/money.ts'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import { type Bank, createBank } from '../bank/bank.ts'
import type { Allotment, BankCharge, BankOrder, BankPayment } from '../bank/charge.ts'
import { InvalidRequest, readText } from '../issuer-request.ts'
import type { Accounts } from './accounts.ts'
import { priceOf, unitsFor } from './prices.ts'

export const CONFIRMATIONS = 3

export type WatcherOptions = {
  readonly bookFile: string
  readonly clock: Clock
  readonly accounts: Accounts
  /** The time between two blocks. */
  readonly blockMs: number
}

type Transfer = {
  readonly txHash: string
  readonly logIndex: number
  readonly units: string
  readonly confirmations: number
  readonly at: string
  readonly from: string
  readonly gasFee: string
  /** The transfer's value in the charge's currency. */
  readonly amount: string
}

export function createWatcher({ bookFile, clock, accounts, blockMs }: WatcherOptions): Bank {
  const bank = createBank({
    bookFile,
    clock,
    takes: 'deposits',
    allot: (no, order) => quote(accounts, no, order),
  })
  const timers = new Set<NodeJS.Timeout>()

  /** Updates the charge if the confirmations of its transfers have grown since the last write. */
  function catchUp(charge: BankCharge | undefined): BankCharge | undefined {
    if (charge === undefined) return undefined
    const transfers = transfersOf(charge)
    const now = transfers.map((transfer) => ({ ...transfer, confirmations: depthOf(transfer) }))
    if (now.every(({ confirmations }, at) => confirmations === transfers[at]?.confirmations)) return charge
    // Deposits are written before the confirmations. After a crash between the two writes, the transfer is still
    // unconfirmed and is processed again.
    for (const transfer of now) if (transfer.confirmations >= CONFIRMATIONS) deposit(charge, transfer)
    bank.amend(charge.id, { transfers: now })
    return bank.findById(charge.id)
  }

  /**
   * The confirmations of a transfer. A millisecond is added, because a very short block may last only a millisecond,
   * which is the clock's resolution.
   */
  function depthOf({ at }: Transfer): number {
    const passedMs = clock.now().getTime() - new Date(at).getTime() + 1
    return Math.min(CONFIRMATIONS, Math.floor(passedMs / blockMs))
  }

  function deposit({ id }: BankCharge, { txHash, amount, from, gasFee }: Transfer): void {
    bank.pay(id, { id: txHash, amount, txHash, gasFee, payerAccount: from })
  }

  function send(id: string, payment: BankPayment): BankCharge | undefined {
    const charge = bank.findById(id)
    if (charge === undefined || charge.amount === '') return undefined
    const transfers = transfersOf(charge)
    const transfer = makeTransfer(charge, payment, clock.now())
    if (transfers.every(({ txHash }) => txHash !== transfer.txHash)) {
      bank.amend(id, { transfers: [...transfers, transfer] })
      for (let block = 1; block <= CONFIRMATIONS; block += 1) checkAfter(block * blockMs, id)
    }
    const found = catchUp(bank.findById(id))
    // The page shows all transfers, including unconfirmed transfers.
    return found && { ...found, deposits: transfersOf(found).map(toShown(found.currency)) }
  }

  function checkAfter(ms: number, id: string): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      catchUp(bank.findById(id))
    }, ms)
    timers.add(timer)
  }

  return {
    ...bank,
    find: (reference) => catchUp(bank.find(reference)),
    findById: (id) => catchUp(bank.findById(id)),
    cancel(reference) {
      catchUp(bank.find(reference))
      return bank.cancel(reference)
    },
    pay: send,
    close() {
      for (const timer of timers) clearTimeout(timer)
      bank.close()
    },
  }
}

function quote(accounts: Accounts, index: number, { amount, currency, extra }: BankOrder): Allotment {
  const coin = readText(extra, 'coin', /^(USDT|USDC|ETH)$/)
  readText(extra, 'network', coin === 'ETH' ? /^ERC20$/ : /^(ERC20|POLYGON)$/)
  const price = priceOf(coin, currency)
  const rate = parseRate(price ?? '')
  if (rate === undefined) throw new InvalidRequest('there is no price in that currency')
  const coinUnits = unitsFor(BigInt(amount), currency, coin, rate).toString()
  return { account: accounts.addressAt(index), extra: { price, index, coinUnits } }
}

function makeTransfer(charge: BankCharge, { id = randomUUID(), amount }: BankPayment, now: Date): Transfer {
  const whole = BigInt(charge.amount)
  const units = (BigInt(amount) * BigInt(String(charge.extra.coinUnits)) + whole - 1n) / whole
  return {
    txHash: `0x${createHash('sha256').update(`${charge.id} ${id}`).digest('hex')}`,
    logIndex: 0,
    units: units.toString(),
    confirmations: 0,
    at: now.toISOString(),
    from: `0x${randomBytes(20).toString('hex')}`,
    gasFee: '0.00042',
    amount,
  }
}

function toShown(currency: string) {
  return ({ txHash: id, amount, at }: Transfer) => ({ id, amount, currency, at: new Date(at) })
}

function transfersOf({ extra }: BankCharge): Transfer[] {
  return Array.isArray(extra.transfers) ? extra.transfers.filter(isObject).map(toTransfer) : []
}

function toTransfer(stored: Fields): Transfer {
  return {
    txHash: String(stored.txHash),
    logIndex: Number(stored.logIndex),
    units: String(stored.units),
    confirmations: Number(stored.confirmations),
    at: String(stored.at),
    from: String(stored.from),
    gasFee: String(stored.gasFee),
    amount: String(stored.amount),
  }
}
