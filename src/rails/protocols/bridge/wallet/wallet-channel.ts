// The channel for Apple Pay and Google Pay. A token is charged once: it is verified, decrypted and charged as a card at
// the acquirer, or passed on to an acquirer that has the key. All later calls use the reference, as with cards.
//
// If the merchant sends no token, the payer goes to the wallet's payment sheet. The gateway fetches the token from the
// sheet's server, because the payer's browser is not trusted and may never come back. A callback about a payment only
// triggers a query. The acquirer is queried first: its charge counts, whatever the sheet reports.
import type { Clock } from '../../../../platform/base/clock.ts'
import { isObject } from '../../../../platform/base/object.ts'
import type {
  AttemptRef,
  Callback,
  CallbackResult,
  Channel,
  CompleteRequest,
  Outcome,
  RefundRequest,
  StartRequest,
} from '../../../contract/channel.ts'
import type { UseToken } from '../../../contract/settings.ts'
import { type Method, methods } from '../../../methods/methods.ts'
import type { Alarms } from '../../../toolkit/alarms.ts'
import { timedBy } from '../../../toolkit/deadline.ts'
import { notSent, unknown } from '../../../toolkit/outcomes.ts'
import { challengeIdOf } from '../../../toolkit/three-d-secure.ts'
import type { IssuerTransport, Reply, Transport } from '../../../toolkit/transport.ts'
import type { OpenToken } from '../../../toolkit/wallet-token.ts'
import type { BankOperation } from '../bank/bank-channel.ts'
import { type BankCharge, readCharge, redirectTo } from '../bank/charge.ts'
import { fromOpen, fromCharge as fromSheet, toOpen } from '../bank/wire.ts'
import { isUnsigned, readSignedCallback } from '../callback.ts'
import { pollDisputes } from '../card/disputes.ts'
import { fromAuthorise, fromCharge, fromRefund, toRefund } from '../card/wire.ts'
import { isAbsent } from '../replies.ts'
import { paymentOf, type TokenPayment, toAuthorise, toSheet } from './wire.ts'

export type WalletChannelOptions = {
  readonly name: string
  readonly method: Method
  readonly label: string
  readonly acquirer: IssuerTransport
  readonly acquirerSecret: string
  /**
   * True if this channel polls the acquirer's disputes. False if a card channel with the same acquirer does so for
   * both.
   */
  readonly ownDisputes: boolean
  readonly alarms: Alarms
  /** The payment sheet. Undefined if merchants always send the token. */
  readonly sheet: Sheet | undefined
  readonly openToken: OpenToken
  readonly useToken: UseToken
  readonly timeoutMs: number
  readonly clock: Clock
}

type Sheet = { readonly transport: Transport<BankOperation>; readonly secret: string }

const reading = { reports: 'exact', actionOf: redirectTo } as const

export function createWalletChannel(options: WalletChannelOptions): Channel {
  const { name, method, label, acquirer, acquirerSecret, sheet, clock, timeoutMs } = options
  const timed = timedBy(timeoutMs)

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const { reference, merNo, money, walletToken } = request
    if (walletToken !== undefined && walletToken !== '') {
      const charged = await chargeToken({ reference, merNo, money, request }, walletToken, signal)
      return charged.kind === 'reply' ? fromAuthorise(charged.reply, reference) : charged
    }
    if (sheet === undefined) return notSent(`Send the ${label} token with the payment`)
    const order = toOpen(method, request, toSheet(request, acquirerSecret))
    const reply = await sheet.transport('open', order, signal)
    const charge = chargeIn(reply)
    const isPaid = charge?.status === 'paid' && charge.reference === reference
    return isPaid ? approved(charge, signal) : fromOpen(reply, request, reading)
  }

  /** Verifies a token and charges it, unless another payment has already used it. */
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

  /**
   * Voids the payment before it counts as declined, because an earlier call with the same reference may still arrive.
   */
  async function decline(reference: string, message: string, signal: AbortSignal): Promise<Outcome> {
    const outcome = fromCharge(await acquirer('void', { merchantReference: reference }, signal), reference)
    const isVoid = outcome.kind === 'failed' && outcome.cause === 'cancelled'
    return isVoid ? { ...outcome, cause: 'declined', message } : outcome
  }

  /** Charges the token of a payment that the payer approved on the sheet. */
  async function approved(charge: BankCharge, signal: AbortSignal): Promise<Outcome> {
    const payment = paymentOf(charge, acquirerSecret)
    // The token comes from the sheet's server, never from the payer's browser. A Google Pay token contains neither
    // order nor amount, so a browser could use the token of one order for another.
    const { token } = charge.extra
    if (payment === undefined || typeof token !== 'string')
      return unknown('the wallet reports another payment, or no token')
    const charged = await chargeToken(payment, token, signal)
    if (charged.kind !== 'reply') return charged
    const { reply } = charged
    // An unsent or refused call proves nothing, because another call, perhaps of another process, may have charged the
    // token.
    if (reply.kind === 'unsent') return unknown(reply.why)
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

  /**
   * Queries the acquirer, then the sheet. If both do not know the payment, a request of ours may still arrive. So the
   * payment is voided before it counts as failed.
   */
  async function query(reference: string, signal: AbortSignal): Promise<Outcome> {
    const reply = await acquirer('lookup', { merchantReference: reference }, signal)
    if (!isAbsent(reply)) return fromCharge(reply, reference)
    if (sheet === undefined) return cancel(reference, signal)
    const answer = await sheet.transport('lookup', { reference }, signal)
    return isAbsent(answer) ? cancel(reference, signal) : fromLookup(answer, reference, signal)
  }

  async function fromLookup(answer: Reply, reference: string, signal: AbortSignal): Promise<Outcome> {
    if (answer.kind !== 'answer') return unknown(answer.why)
    const charge = chargeIn(answer)
    if (charge?.reference !== reference)
      return unknown(`the wallet responded ${answer.status}, not about this payment`)
    return charge.status === 'paid' ? approved(charge, signal) : fromSheet(charge, reading)
  }

  /**
   * Voids the payment at the acquirer, so that nothing can be charged. Also cancels the sheet, so that its page shows
   * the cancellation.
   */
  async function cancel(reference: string, signal: AbortSignal): Promise<Outcome> {
    const reply = await acquirer('void', { merchantReference: reference }, signal)
    await sheet?.transport('cancel', { reference }, signal)
    return fromCharge(reply, reference)
  }

  return {
    name,
    method,
    traits: { ...methods[method], timeoutMs, needsToken: sheet === undefined },
    start: timed(start),
    complete: timed(complete),
    ask: timed(({ reference }: AttemptRef, signal) => query(reference, signal)),
    cancel: timed(({ reference }: AttemptRef, signal) => cancel(reference, signal)),
    refund: timed(async (request: RefundRequest, signal) =>
      fromRefund(await acquirer('refund', toRefund(request), signal), request.refundReference),
    ),
    ...(options.ownDisputes && {
      disputes: timed(pollDisputes({ transport: acquirer, alarms: options.alarms, clock })),
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

type WalletCallbackOptions = {
  readonly acquirerSecret: string
  readonly sheetSecret: string | undefined
  readonly now: Date
  readonly alarms: Alarms
  readonly ask: (reference: string) => Promise<Outcome>
}

/** Reads a callback of the payment sheet or of the acquirer. A callback about a payment only triggers a query. */
export async function readWalletCallback(
  callback: Callback,
  options: WalletCallbackOptions,
): Promise<CallbackResult> {
  const { acquirerSecret, sheetSecret, now, alarms, ask } = options
  const read = (secret: string, name: 'reference' | 'merchantReference', paymentsOnly = false) =>
    readSignedCallback(callback, {
      secret,
      paymentsOnly,
      now,
      alarms,
      async read(body) {
        const reference = isObject(body) ? body[name] : undefined
        return typeof reference === 'string' ? { reference, outcome: await ask(reference) } : undefined
      },
    })
  const result = await read(acquirerSecret, 'merchantReference')
  if (result.kind === 'accepted' || sheetSecret === undefined) return result
  const fromSheet = await read(sheetSecret, 'reference', sheetSecret !== acquirerSecret)
  // Both secrets lead to a refusal. The result for the secret that signed the callback is returned.
  return isUnsigned(fromSheet) ? result : fromSheet
}
