// Receives callbacks of counterparties. The channel authenticates the sender, and may report only on its own attempts. The
// response is sent after the commit: a counterparty without a response sends the callback again, which changes nothing.
import type { Logger } from 'pino'
import { merNoOf } from '../base/id.ts'
import type { Callback, CallbackAnswer, Channel, Outcome } from '../channels/contract.ts'
import { findChannelOf } from '../order-queries/find-channel.ts'
import { attemptOf } from '../orders/order.ts'
import type { CompleteDeps } from './complete-payment.ts'
import { recordOutcome } from './make-payment.ts'

export type CallbackDeps = CompleteDeps & { readonly log: Logger; readonly baseUrl: string }

export async function receiveCallback(
  deps: CallbackDeps,
  channelName: string,
  callback: Callback,
): Promise<CallbackAnswer | undefined> {
  const channel = deps.channels.named(channelName)
  return channel && deps.gate.count(() => receive(deps, channel, callback))
}

async function receive(
  deps: CallbackDeps,
  channel: Channel,
  callback: Callback,
): Promise<CallbackAnswer | undefined> {
  const result = await channel.readCallback?.(callback)
  if (result?.kind === 'refused')
    deps.log.warn({ channel: channel.name, why: result.why }, 'refused a callback')
  else
    for (const { reference, outcome } of result?.reports ?? [])
      await record(deps, channel, reference, outcome)
  return result?.answer
}

async function record(
  deps: CallbackDeps,
  channel: Channel,
  reference: string,
  outcome: Outcome,
): Promise<void> {
  const attempt = attemptOf(reference)
  const merNo = attempt && merNoOf(attempt.tradeNo)
  const key = attempt && merNo !== undefined ? { ...attempt, merNo } : undefined
  if (key === undefined || (await findChannelOf(deps.db, key)) !== channel.name) {
    deps.alarm(
      reference,
      `channel ${channel.name} reported an attempt that it does not have: ${outcome.kind}`,
    )
    return
  }
  const recorded = await recordOutcome(deps, channel, key, outcome)
  const { tradeNo } = key
  deps.log.info(
    { tradeNo, channel: channel.name, outcome: outcome.kind, state: recorded.orderState },
    'callback recorded',
  )
}
