// Payments by credit transfer. The payer gets our account and a creditor reference. The watcher records the credits
// from the bank's files, and `ask` answers from these records.

import { isIban } from '../../../platform/base/iban.ts'
import type { Money } from '../../../platform/base/money.ts'
import { textIn } from '../../../platform/base/object.ts'
import type {
  AttemptRef,
  Channel,
  Deposit,
  Outcome,
  PayerAction,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../../contract/channel.ts'
import type { ChannelRecord, ChannelStore, RecordBody } from '../../contract/store.ts'
import { sepa } from '../../methods/sepa.ts'
import { epcQr } from '../../toolkit/formats/epc-qr.ts'
import { cancelledWith, notSent, unknown } from '../../toolkit/outcomes.ts'
import { moneyBody, readMoney } from '../../toolkit/records/money.ts'
import { choosePayer, type Refunded } from '../../toolkit/refunds.ts'
import { type OurAccount, sepaText } from './pain-001.ts'
import type { PaymentReferences } from './payment-reference.ts'
import { readTransfer, refundOutcome, toOrder } from './transfers.ts'

export type SepaChannelOptions = {
  readonly name: string
  readonly store: ChannelStore
  readonly account: OurAccount
  readonly references: PaymentReferences
  readonly timeoutMs: number
}

type Payment = { readonly money: Money; readonly isCancelled: boolean }

export function createSepaChannel(options: SepaChannelOptions): Channel {
  const { name, store, account, references, timeoutMs } = options

  async function start(request: StartRequest): Promise<Outcome> {
    const { reference, money } = request
    const number = await store.numberOf(reference)
    if (actionOf(account, references.of(number), money) === undefined) return refused
    await store.write([{ add: toPayment(reference, { money, isCancelled: false }) }])
    return ask(request)
  }

  async function ask(request: AttemptRef): Promise<Outcome> {
    const payment = await findPayment(store, request.reference)
    return payment === undefined ? cancel(request) : outcomeOf(request.reference, payment)
  }

  /** Cancels the payment, unless its deposits reach its amount. */
  async function cancel({ reference, money }: AttemptRef): Promise<Outcome> {
    const isCancelled = true
    // A payment without a record is recorded as cancelled, so that a late `start` cannot open it.
    await store.write([{ add: toPayment(reference, { money, isCancelled }) }])
    const payment = await findPayment(store, reference)
    if (payment === undefined) return unknown('the payment has no record')
    if (payment.isCancelled || isPaid(payment, await depositsOf(store, reference)))
      return outcomeOf(reference, payment)
    await store.write([{ put: toPayment(reference, { ...payment, isCancelled }) }])
    return outcomeOf(reference, { ...payment, isCancelled })
  }

  async function outcomeOf(reference: string, { money, isCancelled }: Payment): Promise<Outcome> {
    const deposits = await depositsOf(store, reference)
    const channelRef = references.of(await store.numberOf(reference))
    if (isCancelled) return cancelledWith(channelRef, deposits)
    const action = actionOf(account, channelRef, money)
    if (action === undefined) return unknown('the payment has an amount that no transfer can have')
    if (deposits.length > 0) return { kind: 'received', channelRef, deposits, action }
    return { kind: 'pending', channelRef, action }
  }

  async function refund(request: RefundRequest): Promise<RefundOutcome> {
    const { reference, refundReference, refund: money } = request
    const ordered = await readTransfer(store, refundReference)
    if (ordered !== undefined) return refundOutcome(ordered)
    const deposits = await depositsOf(store, reference)
    const refunds = await otherRefunds(store, request)
    const payer = choosePayer(money, deposits.filter(isEuro), refunds, isIban)
    if ('kind' in payer) return payer
    const channelRef = references.of(await store.numberOf(reference))
    const line = {
      reference: refundReference,
      amount: money.amount.toString(),
      iban: payer.payerAccount ?? '',
      name: sepaText(payer.payerName ?? '', 70) || 'NOTPROVIDED',
      text: `Refund ${channelRef}`,
    }
    const body = { ...moneyBody(money), depositRef: payer.depositRef }
    const belongs = { kind: 'refund', key: refundReference, reference, body }
    await store.write([{ add: belongs }, ...toOrder(line, 'refund')])
    const found = await readTransfer(store, refundReference)
    return found === undefined ? unknown('the refund has no record') : refundOutcome(found)
  }

  return {
    name,
    method: 'sepa',
    traits: { ...sepa, timeoutMs },
    start,
    /** The browser's return to our page proves no payment, so the outcome comes from the records. */
    complete: ask,
    ask,
    cancel,
    refund,
  }
}

/**
 * Returns the credit transfer that the payer must make. Undefined if a credit transfer cannot have this amount or
 * currency.
 */
function actionOf({ iban, bic, name }: OurAccount, reference: string, money: Money): PayerAction | undefined {
  const qrCode = epcQr({ iban, bic, payee: name, money, reference })
  if (qrCode === undefined) return undefined
  return { kind: 'transfer', accountKind: 'iban', account: iban, bic, payee: name, reference, qrCode }
}

function toPayment(reference: string, { money, isCancelled }: Payment): ChannelRecord {
  return { kind: 'payment', key: reference, reference, body: { ...moneyBody(money), isCancelled } }
}

async function findPayment(store: ChannelStore, reference: string): Promise<Payment | undefined> {
  const body = (await store.find({ kind: 'payment', key: reference }))?.body
  const money = readMoney(body)
  return money && { money, isCancelled: body?.isCancelled === true }
}

async function depositsOf(store: ChannelStore, reference: string): Promise<Deposit[]> {
  const records = await store.listOf('deposit', reference)
  return records.flatMap((record) => toDeposit(record) ?? []).sort((a, b) => a.at.getTime() - b.at.getTime())
}

function toDeposit({ key, body }: ChannelRecord): Deposit | undefined {
  const money = readMoney(body)
  return money && { depositRef: key, money, at: new Date(textIn(body, 'at')), ...payerIn(body) }
}

function payerIn(body: RecordBody): Pick<Deposit, 'payerName' | 'payerAccount'> {
  const payerName = textIn(body, 'payerName')
  const payerAccount = textIn(body, 'payerAccount')
  return { ...(payerName !== '' && { payerName }), ...(payerAccount !== '' && { payerAccount }) }
}

function isEuro({ money }: Deposit): boolean {
  return money.currency === 'EUR'
}

function isPaid({ money }: Payment, deposits: readonly Deposit[]): boolean {
  return deposits.filter(isEuro).reduce((sum, one) => sum + one.money.amount, 0n) >= money.amount
}

/**
 * Returns the payment's other refunds that reduce the amount left to refund. Failed and returned refunds do not,
 * because their money may be refunded again. The requested refund is left out, because a concurrent call may already
 * have ordered it.
 */
async function otherRefunds(store: ChannelStore, request: RefundRequest): Promise<Refunded[]> {
  const refunds: Refunded[] = []
  for (const { key, body } of await store.listOf('refund', request.reference)) {
    if (key === request.refundReference) continue
    const transfer = await readTransfer(store, key)
    const outcome = transfer && refundOutcome(transfer)
    if (outcome?.kind !== 'failed' && outcome?.kind !== 'returned')
      refunds.push({ amount: transfer?.money.amount ?? 0n, depositRef: textIn(body, 'depositRef') })
  }
  return refunds
}

const refused = notSent('A credit transfer is in euros, up to 999,999,999.99')
