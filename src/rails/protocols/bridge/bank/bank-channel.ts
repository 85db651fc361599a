// The channel over our own protocol, signed JSON, for banks, wallets and crypto. The responses to `open`, `lookup` and
// `cancel`, and the callbacks about payments, all contain a charge in the same form. Each method defines how its
// charges are read. The method checks the account and the reference before a payer sees them, because money sent to a
// wrong account is hard to get back. If the account or the reference is wrong, the outcome is `unknown`. See
// docs/decisions/0091-the-bank-protocol.md.
import { type Clock, systemClock } from '../../../../platform/base/clock.ts'
import type { Fields } from '../../../../platform/base/object.ts'
import type {
  AttemptRef,
  Channel,
  CompleteRequest,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../../../contract/channel.ts'
import { addressSetting, type Connect, flagSetting, textSetting } from '../../../contract/settings.ts'
import { type Method, methods } from '../../../methods/methods.ts'
import type { MethodTraits } from '../../../methods/traits.ts'
import { type Alarms, alarmsOf } from '../../../toolkit/alarms.ts'
import { timedBy } from '../../../toolkit/deadline.ts'
import { notRefundable } from '../../../toolkit/refunds.ts'
import { httpSettings } from '../../../toolkit/settings/http-settings.ts'
import { httpTransport, type Transport } from '../../../toolkit/transport.ts'
import { readSignedCallback } from '../callback.ts'
import { pollDisputes } from '../card/disputes.ts'
import { isAbsent } from '../replies.ts'
import { readCharge } from './charge.ts'
import { fromCharge, fromOpen, fromRefund, fromReply, type Reading, toOpen, toRefund } from './wire.ts'

export type BankOperation = 'open' | 'lookup' | 'cancel' | 'refund' | 'chargebacks'

type BankChannelOptions = Reading & {
  readonly name: string
  readonly method: Method
  readonly traits: MethodTraits
  readonly transport: Transport<BankOperation>
  readonly secret: string
  readonly timeoutMs: number
  readonly alarms: Alarms
  readonly clock?: Clock
  /** True if the channel polls disputes. Callbacks about disputes are read in any case. */
  readonly ownDisputes?: boolean
  /** Returns further fields, which the bank sends back in `extra` of the charge. */
  readonly toOpen?: (request: StartRequest) => Fields
}

export function createBankChannel(options: BankChannelOptions): Channel {
  const { name, method, traits, transport, secret, timeoutMs, clock = systemClock } = options
  const timed = timedBy(timeoutMs)

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const body = toOpen(method, request, options.toOpen?.(request) ?? {})
    return fromOpen(await transport('open', body, signal), request, options)
  }

  /**
   * Queries the charge. If the bank does not know the charge, our request to open it may still arrive. So the charge is
   * cancelled before it counts as failed.
   */
  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await transport('lookup', { reference: request.reference }, signal)
    return isAbsent(reply) ? cancel(request, signal) : fromReply(reply, request, options)
  }

  async function cancel(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await transport('cancel', { reference: request.reference }, signal)
    return fromReply(reply, request, options)
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    if (!traits.refundable) return notRefundable
    return fromRefund(await transport('refund', toRefund(request), signal), request)
  }

  return {
    name,
    method,
    traits: { ...traits, timeoutMs },
    start: timed(start),
    /** The payer's browser is not trusted, so its return only triggers a query. */
    complete: timed((request: CompleteRequest, signal) => ask(request, signal)),
    ask: timed(ask),
    cancel: timed(cancel),
    refund: timed(refund),
    ...(options.ownDisputes && {
      disputes: timed(pollDisputes({ transport, alarms: options.alarms, clock })),
    }),
    async readCallback(callback) {
      return readSignedCallback(callback, {
        secret,
        now: clock.now(),
        alarms: options.alarms,
        read(body) {
          const charge = readCharge(body)
          return charge && { reference: charge.reference, outcome: fromCharge(charge, options) }
        },
      })
    },
  }
}

type BankMethod = Reading & Pick<BankChannelOptions, 'method' | 'toOpen'>

/**
 * Connects a channel over the bank protocol. Settings: "url", "secret", and "ownDisputes". With "ownDisputes": true the
 * channel also polls disputes. Only one channel of a counterparty may do so.
 */
export function connectBank(bankMethod: BankMethod): Connect {
  return (settings, tools) => {
    const { name } = settings
    const { clock, timeoutMs } = tools
    const secret = textSetting(settings, 'secret')
    const url = addressSetting(settings, 'url')
    const transport = httpTransport({ url, secret, clock, http: httpSettings(settings) })
    const ownDisputes = flagSetting(settings, 'ownDisputes')
    const alarms = alarmsOf(name, tools)
    return createBankChannel({
      ...bankMethod,
      traits: methods[bankMethod.method],
      name,
      transport,
      secret,
      timeoutMs,
      alarms,
      clock,
      ownDisputes,
    })
  }
}
