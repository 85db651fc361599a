// The records of payments: the amount, whether the payment was cancelled, and the deposits to its CLABE.
import { formatAmount, type Money } from '../../../platform/base/money.ts'
import type { Deposit, Outcome, PayerAction } from '../../contract/channel.ts'
import type { ChannelTools } from '../../contract/settings.ts'
import type { ChannelStore, RecordBody, RecordChange } from '../../contract/store.ts'
import { clabeOf } from '../../toolkit/formats/clabe.ts'
import { cancelledWith, unknown } from '../../toolkit/outcomes.ts'
import { moneyBody, readMoney } from '../../toolkit/records/money.ts'

export type Payment = { readonly money: Money; readonly isCancelled: boolean }

type PaymentsOptions = {
  readonly store: ChannelStore
  readonly clabePrefix: string
  /** Our own account, which is never given to a payment. */
  readonly ownClabe: string
  readonly payee: string
  readonly alarm: ChannelTools['alarm']
}

/** A deposit, and the code of the payer's bank, which a refund needs. */
export type SpeiDeposit = Deposit & { readonly bank: string }

/** A transfer in STP's lists that STP has not settled, or that the gateway cannot read. */
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
    const money = readMoney(body)
    return money && { money, isCancelled: body?.isCancelled === true }
  }

  /** Returns all deposits that were counted, including those that STP sent back later. */
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
    /**
     * Returns the CLABE to which the payer sends the money. Undefined if the payment's number is too large for the
     * prefix, or if the number would give the CLABE of our own account.
     */
    async clabe(reference: string): Promise<string | undefined> {
      const clabe = clabeOf(clabePrefix, await store.numberOf(reference))
      return clabe === ownClabe ? undefined : clabe
    },
    add: (reference: string, payment: Payment) => store.write([{ add: recordOf(reference, payment) }]),
    put: (reference: string, payment: Payment) => store.write([{ put: recordOf(reference, payment) }]),
    /** Records a deposit, and schedules a query for the outcome of the payment. Repeated calls change nothing. */
    addDeposit: (reference: string, { depositRef, money, at, bank, ...payer }: SpeiDeposit) => {
      const body = { ...moneyBody(money), ...payer, bank, at: at.toISOString() }
      const deposit = { kind: DEPOSIT, key: depositRef, reference, body }
      return store.write([{ add: deposit }, { remove: { kind: EXPECTED, key: depositRef } }], [reference])
    },
    /** Records a transfer that STP has not settled. It is not a deposit yet, because STP can still send it back. */
    async expectDeposit(reference: string, depositRef: string, now: Date): Promise<void> {
      // A transfer that was given up is not recorded again. The transfer may still be named by a repeated webhook, or
      // by a list that is read after a downtime.
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
    /** Gives up a transfer that was not settled in time. Raises an alarm, so that an operator asks STP about it. */
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
    /** Records that STP sent a deposit back. If the deposit was counted, raises an alarm on the first call. */
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
      if (account === undefined) return unknown('the payment has no CLABE')
      const deposits = (await depositsOf(reference)).map(({ bank: _bank, ...deposit }) => deposit)
      if (isCancelled) return cancelledWith(account, deposits)
      const action: PayerAction = { kind: 'transfer', accountKind: 'clabe', account, payee, bank: 'STP' }
      if (deposits.length > 0) return { kind: 'received', channelRef: account, deposits, action }
      return { kind: 'pending', channelRef: account, action }
    },
  }
}

function toDeposit(depositRef: string, body: RecordBody): SpeiDeposit | undefined {
  const money = readMoney(body)
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

export function sumOf(deposits: readonly Deposit[]): bigint {
  return deposits.reduce((sum, { money }) => sum + money.amount, 0n)
}
