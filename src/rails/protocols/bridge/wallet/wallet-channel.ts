// The channel for Apple Pay and Google Pay. A token is verified, decrypted and charged once, as a card at the acquirer, or
// passed on to an acquirer that has the key; everything afterwards uses the reference, as with cards.
//
// If the merchant sends no token, the payer goes to the wallet's payment sheet. We fetch the token from the sheet's server,
// because the payer's browser is not trusted and may never come back. A callback only triggers a query. The acquirer is
// queried first: its charge counts, whatever the sheet reports.
import type { Clock } from '../../base/clock.ts'
import type { Alarms } from '../alarms.ts'
import type { BankOperation } from '../bank/bank-channel.ts'
import { type BankCharge, readCharge } from '../bank/charge.ts'
import { redirectTo } from '../bank/redirect.ts'
import { fromOpen, fromCharge as fromSheet, toOpen } from '../bank/wire.ts'
import { takeChargebacks } from '../card/disputes.ts'
import { challengeIdOf } from '../card/three-d-secure.ts'
import { fromAuthorise, fromCharge, fromRefund, isAbsent, toRefund } from '../card/wire.ts'
import type {
  AttemptRef,
  Callback,
  Channel,
  CompleteRequest,
  Failed,
  Outcome,
  RefundRequest,
  StartRequest,
} from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import type { Method } from '../method.ts'
import type { UseToken } from '../settings.ts'
import type { MethodTraits } from '../traits.ts'
import type { IssuerTransport, Reply, Transport } from '../transport.ts'
import type { OpenToken } from './opened-token.ts'
import { readWalletCallback } from './wallet-callback.ts'
import { paymentOf, type TokenPayment, toAuthorise, toSheet } from './wire.ts'

export type WalletChannelOptions = {
  readonly name: string
  readonly method: Method
  readonly traits: MethodTraits
  /** The name that payers know. */
  readonly label: string
  readonly acquirer: IssuerTransport
  readonly acquirerSecret: string
  /** False if a card channel uses the same acquirer: that channel then reports the disputes of both. */
  readonly ownDisputes: boolean
  readonly alarms: Alarms
  /** Undefined: only merchants send tokens. */
  readonly sheet: Sheet | undefined
  readonly openToken: OpenToken
  readonly useToken: UseToken
  readonly timeoutMs: number
  readonly clock: Clock
}

export type Sheet = { readonly transport: Transport<BankOperation>; readonly secret: string }

const reading = { reports: 'exact', actionOf: redirectTo } as const

export function createWalletChannel(options: WalletChannelOptions): Channel {
  const { name, method, traits, label, acquirer, acquirerSecret, sheet, clock, timeoutMs } = options
  const timed = <Request, Result>(work: (request: Request, signal: AbortSignal) => Promise<Result>) => {
    return (request: Request) => withDeadline(timeoutMs, (signal) => work(request, signal))
  }

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const { reference, merNo, money, walletToken } = request
    if (walletToken !== undefined && walletToken !== '') {
      const charged = await chargeToken({ reference, merNo, money, request }, walletToken, signal)
      return charged.kind === 'reply' ? fromAuthorise(charged.reply, reference) : charged
    }
    if (sheet === undefined) return noToken(label)
    const order = toOpen(method, request, toSheet(request, acquirerSecret))
    const reply = await sheet.transport('open', order, signal)
    const charge = chargeIn(reply)
    const isPaid = charge?.status === 'paid' && charge.reference === reference
    return isPaid ? approved(charge, signal) : fromOpen(reply, request, reading)
  }

  /** A token is charged once, and only for the payment that it was verified for. */
  async function chargeToken(payment: TokenPayment, token: string, signal: AbortSignal) {
    const { reference } = payment
    const verified = await options.openToken(token, payment)
    if (verified.kind === 'bad') return decline(reference, verified.message, signal)
    const { merNo, tokenId } = verified
    if (!(await options.useToken({ merNo, tokenId: `${method}:${tokenId}` }, reference)))
      return decline(reference, `The ${label} token has already been used`, signal)
    const reply = await acquirer(
      'authorise',
      toAuthorise(payment, verified.card, method, clock.now()),
      signal,
    )
    return { kind: 'reply', reply } as const
  }

  /** An earlier call with the same reference may still arrive, so it is voided before it counts as declined. */
  async function decline(reference: string, message: string, signal: AbortSignal): Promise<Outcome> {
    const outcome = fromCharge(await acquirer('void', { merchantReference: reference }, signal), reference)
    const isVoid = outcome.kind === 'failed' && outcome.cause === 'cancelled'
    return isVoid ? { ...outcome, cause: 'declined', message } : outcome
  }

  /** The payer approved on the sheet, so the token is available. */
  async function approved(charge: BankCharge, signal: AbortSignal): Promise<Outcome> {
    const payment = paymentOf(charge, acquirerSecret)
    const { token } = charge.extra
    if (payment === undefined || typeof token !== 'string')
      return { kind: 'unknown', why: 'the wallet reports another payment, or no token' }
    const charged = await chargeToken(payment, token, signal)
    if (charged.kind !== 'reply') return charged
    const { reply } = charged
    // Neither unsent nor refused is certain here: another call, of another node perhaps, may have charged the token.
    if (reply.kind === 'unsent') return { kind: 'unknown', why: reply.why }
    const outcome = fromAuthorise(reply, payment.reference)
    const isRefused =
      outcome.kind === 'failed' && (outcome.cause === 'refused' || outcome.cause === 'unauthorised')
    return isRefused ? decline(payment.reference, outcome.message, signal) : outcome
  }

  async function complete(request: CompleteRequest, signal: AbortSignal): Promise<Outcome> {
    const acsTransID = challengeIdOf(request.answer.cres)
    const { reference: merchantReference } = request
    if (acsTransID === undefined) return query(merchantReference, signal)
    const reply = await acquirer('complete', { merchantReference, acsTransID }, signal)
    return isAbsent(reply) ? query(merchantReference, signal) : fromCharge(reply, merchantReference)
  }

  /** A charge that neither has seen may still arrive, so it is voided before it counts as failed. */
  async function query(reference: string, signal: AbortSignal): Promise<Outcome> {
    const reply = await acquirer('lookup', { merchantReference: reference }, signal)
    if (!isAbsent(reply)) return fromCharge(reply, reference)
    if (sheet === undefined) return cancel(reference, signal)
    const answer = await sheet.transport('lookup', { reference }, signal)
    return isAbsent(answer) ? cancel(reference, signal) : fromLookup(answer, reference, signal)
  }

  async function fromLookup(answer: Reply, reference: string, signal: AbortSignal): Promise<Outcome> {
    if (answer.kind !== 'answer') return { kind: 'unknown', why: answer.why }
    const charge = chargeIn(answer)
    if (charge?.reference !== reference)
      return { kind: 'unknown', why: `the wallet responded ${answer.status}, not about this payment` }
    return charge.status === 'paid' ? approved(charge, signal) : fromSheet(charge, reading)
  }

  /** Voiding at the acquirer prevents any charge. The sheet is cancelled too, so that its page shows it. */
  async function cancel(reference: string, signal: AbortSignal): Promise<Outcome> {
    const reply = await acquirer('void', { merchantReference: reference }, signal)
    await sheet?.transport('cancel', { reference }, signal)
    return fromCharge(reply, reference)
  }

  return {
    name,
    method,
    traits: { ...traits, timeoutMs, needsToken: sheet === undefined },
    start: timed(start),
    complete: timed(complete),
    ask: timed(({ reference }: AttemptRef, signal) => query(reference, signal)),
    cancel: timed(({ reference }: AttemptRef, signal) => cancel(reference, signal)),
    refund: timed(async (request: RefundRequest, signal) =>
      fromRefund(await acquirer('refund', toRefund(request), signal), request.refundReference),
    ),
    ...(options.ownDisputes && {
      disputes: timed(async (since: Date, signal) => {
        const reply = await acquirer('chargebacks', { since: String(since.getTime()) }, signal)
        return takeChargebacks(reply, options.alarms, clock.now())
      }),
    }),
    readCallback: timed((callback: Callback, signal) => {
      const ask = (reference: string) => query(reference, signal)
      return readWalletCallback(callback, {
        acquirerSecret,
        sheetSecret: sheet?.secret,
        now: clock.now(),
        alarms: options.alarms,
        ask,
      })
    }),
  }
}

function chargeIn(reply: Reply): BankCharge | undefined {
  return reply.kind === 'answer' && reply.status === 200 ? readCharge(reply.body) : undefined
}

function noToken(label: string): Failed {
  const message = `Send the ${label} token with the payment`
  return { kind: 'failed', cause: 'refused', isLocal: true, message }
}
