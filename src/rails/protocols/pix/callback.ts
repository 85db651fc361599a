// Reads the bank's messages about received and sent Pix: asks the bank about each, and reports what it says.
import type { Callback, CallbackResult, Dispute, Outcome } from '../contract.ts'
import type { PayoutOutcome } from '../payout/contract.ts'
import { disputesIn } from './med.ts'
import type { OutgoingForm } from './outgoing/rail.ts'
import type { PixApi } from './pix-api.ts'
import { announcedIn, isFromBank } from './webhook.ts'
import { fromCob, moneyIn, type Payee, receivedIn } from './wire.ts'

export type PixCallbackParts = {
  readonly api: PixApi
  readonly payee: Payee
  readonly webhookSecret: string
  /** Set for banks that report sent Pix. */
  readonly askSent?: OutgoingForm['ask'] | undefined
}

type Payouts = { readonly reference: string; readonly outcome: PayoutOutcome }[]

export async function readPixCallback(
  callback: Callback,
  { api, payee, webhookSecret, askSent }: PixCallbackParts,
  signal: AbortSignal,
): Promise<CallbackResult> {
  if (!isFromBank(callback, webhookSecret)) return refuse(401, 'the callback address lacks its proof')
  const announced = announcedIn(callback)
  if (announced === undefined) return refuse(400, 'the callback is not about Pix')
  const reports: { reference: string; outcome: Outcome }[] = []
  const disputes: Dispute[] = []
  for (const reference of announced.txids) {
    const reply = await api({ method: 'GET', path: `/cob/${reference}` }, signal)
    // A charge of the same key that is not ours.
    if (reply.kind === 'answer' && reply.status === 404) continue
    const outcome = fromCob(reply, { txid: reference, money: moneyIn(reply), payee })
    if (outcome.kind === 'unknown') return refuse(503, outcome.why)
    reports.push({ reference, outcome })
    // One that cannot be read fails the list of disputes, and so is noticed there.
    disputes.push(...(disputesIn(receivedIn(reply, reference)) ?? []))
  }
  const payouts: Payouts = []
  for (const reference of announced.sent) {
    const outcome = await askSent?.(reference, signal)
    if (outcome?.kind === 'unknown') return refuse(503, outcome.why)
    if (outcome !== undefined && outcome.kind !== 'absent') payouts.push({ reference, outcome })
  }
  const answer = { status: 200, type: 'text/plain', body: '' }
  return { kind: 'accepted', reports, payouts, disputes, answer }
}

function refuse(status: number, why: string): CallbackResult {
  return { kind: 'refused', why, answer: { status, type: 'text/plain', body: why } }
}
