// What the channel remembers about payments: the amount, whether it was cancelled, and the deposits to its own CLABE.
import { formatAmount, type Money } from '../../base/money.ts'
import { isObject } from '../../base/object.ts'
import type { Deposit, Outcome, PayerAction } from '../contract.ts'
import type { ChannelTools } from '../settings.ts'
import type { ChannelStore, RecordBody, RecordChange } from '../store.ts'
import { clabeOf } from './order-clabe.ts'

export type Payment = { readonly money: Money; readonly isCancelled: boolean }

export type PaymentsOptions = {
  readonly store: ChannelStore
  readonly clabePrefix: string
  /** Our own account, which no order gets. */
  readonly ownClabe: string
  readonly payee: string
  readonly alarm: ChannelTools['alarm']
}

/** A deposit, and the account to refund it to. */
export type SpeiDeposit = Deposit & { readonly bank: string }

/** A transfer that STP has and has not settled. */
export type Expected = {
  readonly depositRef: string
  readonly reference: string | undefined
  readonly day: string
  readonly since: Date
}

const [PAYMENT, DEPOSIT, EXPECTED, GIVEN_UP, TAKEN_BACK] = [
  'payment',
  'deposit',
  'expected',
  'given-up',
  'taken-back',
]
const MOST_EXPECTED = 1_000

export type Payments = ReturnType<typeof createPayments>

export function createPayments({ store, clabePrefix, ownClabe, payee, alarm }: PaymentsOptions) {
  const recordOf = (reference: string, { money, isCancelled }: Payment) => {
    return { kind: PAYMENT, key: reference, reference, body: { ...moneyBody(money), isCancelled } }
  }

  async function find(reference: string): Promise<Payment | undefined> {
    const body = (await store.find({ kind: PAYMENT, key: reference }))?.body
    const money = moneyIn(body)
    return money && { money, isCancelled: body?.isCancelled === true }
  }

  /** Also those that STP took back later. */
  async function countedOf(reference: string): Promise<SpeiDeposit[]> {
    const records = await store.listOf(DEPOSIT, reference)
    const deposits = records.flatMap(({ key, body }) => toDeposit(key, body) ?? [])
    return deposits.sort((one, other) => one.at.getTime() - other.at.getTime())
  }

  async function depositsOf(reference: string): Promise<SpeiDeposit[]> {
    const gone = new Set((await store.listOf(TAKEN_BACK, reference)).map(({ key }) => key))
    return (await countedOf(reference)).filter(({ depositRef }) => !gone.has(depositRef))
  }

  return {
    find,
    countedOf,
    depositsOf,
    /** Undefined once the prefix has no number left, and for the one order whose number our own account has. */
    async clabe(reference: string): Promise<string | undefined> {
      const clabe = clabeOf(clabePrefix, await store.numberOf(reference))
      return clabe === ownClabe ? undefined : clabe
    },
    add: (reference: string, payment: Payment) => store.write([{ add: recordOf(reference, payment) }]),
    put: (reference: string, payment: Payment) => store.write([{ put: recordOf(reference, payment) }]),
    /** The same deposit again changes nothing. Asks about the payment soon after. */
    addDeposit: (reference: string, { depositRef, money, at, bank, ...payer }: SpeiDeposit) => {
      const body = { ...moneyBody(money), ...payer, bank, at: at.toISOString() }
      const deposit = { kind: DEPOSIT, key: depositRef, reference, body }
      return store.write([{ add: deposit }, { remove: { kind: EXPECTED, key: depositRef } }], [reference])
    },
    /** What STP has not settled can still be sent back, so it is no deposit yet. */
    /** Unless it was given up: after a stop the lists go back to its day, and STP may repeat its message. */
    async expectDeposit(reference: string, depositRef: string, now: Date): Promise<void> {
      if ((await store.find({ kind: GIVEN_UP, key: depositRef })) !== undefined) return
      const body = { since: now.toISOString() }
      await store.write([{ add: { kind: EXPECTED, key: depositRef, reference, body } }])
    },
    async expected(): Promise<readonly Expected[]> {
      const records = await store.list(EXPECTED, { limit: MOST_EXPECTED })
      return records.map(({ key, reference, body }) => ({
        depositRef: key,
        reference,
        day: key.slice(0, key.indexOf('-')),
        since: new Date(String(body.since)),
      }))
    },
    /** Nobody looks for it any more, so an operator must. */
    async forgetExpected({ depositRef, reference = '' }: Expected): Promise<void> {
      alarm(
        reference,
        `a transfer to its CLABE was not counted within 30 days: ask STP about it (${depositRef})`,
      )
      await store.write([
        { remove: { kind: EXPECTED, key: depositRef } },
        { add: { kind: GIVEN_UP, key: depositRef, reference, body: {} } },
      ])
    },
    /** STP sent it back. The operator is told if it was counted, and if that was not known before. */
    async takeBack({ depositRef, money }: SpeiDeposit): Promise<void> {
      const reference = (await store.find({ kind: DEPOSIT, key: depositRef }))?.reference
      const known = await store.find({ kind: TAKEN_BACK, key: depositRef })
      const changes: RecordChange[] = [{ remove: { kind: EXPECTED, key: depositRef } }]
      if (reference !== undefined && known === undefined) {
        const amount = `${formatAmount(money.amount, money.currency)} ${money.currency}`
        alarm(reference, `STP sent back ${amount} (${depositRef}), which was counted for it`)
        changes.push({ add: { kind: TAKEN_BACK, key: depositRef, reference, body: {} } })
      }
      await store.write(changes)
    },
    async outcomeOf(reference: string, { isCancelled }: Payment): Promise<Outcome> {
      const account = clabeOf(clabePrefix, await store.numberOf(reference))
      if (account === undefined) return { kind: 'unknown', why: 'the payment has no CLABE' }
      const deposits = (await depositsOf(reference)).map(({ bank: _bank, ...deposit }) => deposit)
      if (isCancelled) return cancelled(account, deposits)
      const action: PayerAction = { kind: 'transfer', accountKind: 'clabe', account, payee, bank: 'STP' }
      if (deposits.length > 0) return { kind: 'received', channelRef: account, deposits, action }
      return { kind: 'pending', channelRef: account, action }
    },
  }
}

/** Money that came too late or was too little is reported with it. */
function cancelled(channelRef: string, deposits: readonly Deposit[]): Outcome {
  const base = { kind: 'failed', cause: 'cancelled', channelRef } as const
  if (deposits.length === 0) return { ...base, message: 'Cancelled; nothing was charged' }
  return { ...base, message: 'Ended before the full amount arrived', deposits }
}

function toDeposit(depositRef: string, body: RecordBody): SpeiDeposit | undefined {
  const money = moneyIn(body)
  const { payerName, payerAccount, bank, at } = body
  return (
    money && {
      depositRef,
      money,
      at: new Date(String(at)),
      bank: String(bank),
      ...(typeof payerName === 'string' && { payerName }),
      ...(typeof payerAccount === 'string' && { payerAccount }),
    }
  )
}

function moneyBody({ amount, currency }: Money): RecordBody {
  return { amount: amount.toString(), currency }
}

export function moneyIn(body: RecordBody | undefined): Money | undefined {
  if (!isObject(body) || typeof body.amount !== 'string' || typeof body.currency !== 'string')
    return undefined
  return { amount: BigInt(body.amount), currency: body.currency }
}

export function sumOf(deposits: readonly Deposit[]): bigint {
  return deposits.reduce((sum, { money }) => sum + money.amount, 0n)
}
