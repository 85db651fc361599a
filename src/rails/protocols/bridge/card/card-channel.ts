// The card channel. Only `start` sees the card. The other calls use the reference, so they work after a restart.
import { type Clock, systemClock } from '../../../../platform/base/clock.ts'
import { assert, SettingError } from '../../../../platform/errors/catalogue.ts'
import type {
  AttemptRef,
  Callback,
  Channel,
  CompleteRequest,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../../../contract/channel.ts'
import { addressSetting, type Connect, type NamedSettings, textSetting } from '../../../contract/settings.ts'
import { billingAsks, card, isBillingField } from '../../../methods/card.ts'
import type { AskedField } from '../../../methods/traits.ts'
import { type Alarms, alarmsOf } from '../../../toolkit/alarms.ts'
import { timedBy } from '../../../toolkit/deadline.ts'
import { httpSettings } from '../../../toolkit/settings/http-settings.ts'
import { challengeIdOf } from '../../../toolkit/three-d-secure.ts'
import { httpTransport, type IssuerTransport } from '../../../toolkit/transport.ts'
import { readSignedCallback } from '../callback.ts'
import { isAbsent } from '../replies.ts'
import { pollDisputes } from './disputes.ts'
import { fromAuthorise, fromCallback, fromCharge, fromRefund, toAuthorise, toRefund } from './wire.ts'

type CardChannelOptions = {
  readonly name?: string
  readonly transport: IssuerTransport
  /** The secret that signs callbacks. If it is unset, callbacks are not accepted. */
  readonly secret?: string
  readonly timeoutMs: number
  readonly alarms: Alarms
  readonly clock?: Clock
  /** The payer fields that this acquirer needs. If unset, the method's default fields apply. */
  readonly asks?: readonly AskedField[]
}

export function createCardChannel(options: CardChannelOptions): Channel {
  const { name = 'card', transport, secret, timeoutMs, alarms } = options
  const { clock = systemClock, asks = card.asks } = options
  const timed = timedBy(timeoutMs)

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const { card, reference } = request
    assert(card !== undefined, 'a card payment starts with a card')
    const reply = await transport('authorise', toAuthorise(request, card, clock.now()), signal)
    return fromAuthorise(reply, reference)
  }

  /** Asks the issuer for the result of the challenge. Only the id of the challenge is taken from the browser. */
  async function complete(request: CompleteRequest, signal: AbortSignal): Promise<Outcome> {
    const acsTransID = challengeIdOf(request.answer.cres)
    if (acsTransID === undefined) return ask(request, signal)
    const { reference: merchantReference } = request
    const reply = await transport('complete', { merchantReference, acsTransID }, signal)
    return isAbsent(reply) ? ask(request, signal) : fromCharge(reply, merchantReference)
  }

  /**
   * Queries the charge. If the issuer does not know the charge, our request to authorise it may still arrive. So the
   * charge is voided before it counts as failed.
   */
  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await transport('lookup', { merchantReference: request.reference }, signal)
    return isAbsent(reply) ? cancel(request, signal) : fromCharge(reply, request.reference)
  }

  async function cancel({ reference }: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    return fromCharge(await transport('void', { merchantReference: reference }, signal), reference)
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    return fromRefund(await transport('refund', toRefund(request), signal), request.refundReference)
  }

  return {
    name,
    method: 'card',
    traits: { ...card, asks, timeoutMs },
    start: timed(start),
    complete: timed(complete),
    ask: timed(ask),
    cancel: timed(cancel),
    refund: timed(refund),
    disputes: timed(pollDisputes({ transport, alarms, clock })),
    ...(secret !== undefined && {
      readCallback: async (callback: Callback) =>
        readSignedCallback(callback, { secret, now: clock.now(), alarms, read: fromCallback }),
    }),
  }
}

export const connectCard: Connect = (settings, tools) => {
  const { clock, timeoutMs } = tools
  const secret = textSetting(settings, 'secret')
  const url = addressSetting(settings, 'url')
  const transport = httpTransport({ url, secret, clock, http: httpSettings(settings) })
  return createCardChannel({
    name: settings.name,
    transport,
    secret,
    timeoutMs,
    alarms: alarmsOf(settings.name, tools),
    clock,
    asks: asksSetting(settings),
  })
}

/** Reads "payerFields": billing fields that our page asks for in addition, by their names in the API. */
function asksSetting({ name, payerFields = [] }: NamedSettings): readonly AskedField[] {
  const isList = Array.isArray(payerFields) && payerFields.every((field) => isBillingField(String(field)))
  if (!isList) throw new SettingError(`channel ${name}: "payerFields" must be a list of billing fields`)
  return billingAsks(payerFields)
}
