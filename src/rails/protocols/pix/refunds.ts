// Refunds of Pix. The id of a refund is unique only among the refunds of one Pix. So the chosen Pix is recorded before
// the first call, and later calls use the same Pix. A call with another Pix would make a second refund.
import { formatAmount, type Money, parseAmount } from '../../../platform/base/money.ts'
import { type Fields, isObject, objectsIn } from '../../../platform/base/object.ts'
import type { RefundOutcome, RefundRequest } from '../../contract/channel.ts'
import { theirReason } from '../../contract/counterparty-texts.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { failed, unknown } from '../../toolkit/outcomes.ts'
import type { Reply } from '../../toolkit/transport.ts'

/**
 * Returns the end-to-end id of the Pix that already has this refund. If there is none, returns that of the first Pix
 * with enough left to refund. Undefined if there is no such Pix either.
 */
export function pixToRefund(cob: Fields, { refundReference, refund }: RefundRequest): string | undefined {
  const received = objectsIn(cob.pix)
  // The bank's answer is searched for the refund, because an earlier version of the gateway made refunds without a
  // record.
  const before = received.find((pix) => objectsIn(pix.devolucoes).some(({ id }) => id === refundReference))
  const found = before ?? received.find((pix) => leftOf(pix, refund.currency) >= refund.amount)
  return typeof found?.endToEndId === 'string' ? found.endToEndId : undefined
}

/** Records the chosen Pix, unless the refund already has a recorded Pix. Returns the recorded Pix. */
export async function keepPix(
  store: ChannelStore,
  { reference, refundReference }: RefundRequest,
  chosen: string | undefined,
): Promise<string | undefined> {
  const key = { kind: 'refund', key: refundReference }
  const body = { endToEndId: chosen }
  if (chosen !== undefined) await store.write([{ add: { ...key, reference, body } }])
  const kept = (await store.find(key))?.body.endToEndId
  return typeof kept === 'string' ? kept : undefined
}

function leftOf(pix: Fields, currency: string): bigint {
  const given = objectsIn(pix.devolucoes).filter(({ status }) => status !== 'NAO_REALIZADO')
  return given.reduce((left, { valor }) => left - amountIn(valor, currency), amountIn(pix.valor, currency))
}

function amountIn(valor: unknown, currency: string): bigint {
  return (typeof valor === 'string' ? parseAmount(valor, currency) : undefined) ?? 0n
}

export function toDevolucao({ amount, currency }: Money): Fields {
  return { valor: formatAmount(amount, currency) }
}

export function fromDevolucao(reply: Reply, { refundReference, refund }: RefundRequest): RefundOutcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const devolucao = isObject(reply.body) ? reply.body : undefined
  if ((reply.status !== 200 && reply.status !== 201) || devolucao === undefined)
    return unknown(`the bank responded ${reply.status}`)
  if (devolucao.id !== refundReference) return unknown('the bank responded about another refund')
  const { status, valor, rtrId, motivo } = devolucao
  const channelRef = typeof rtrId === 'string' && rtrId !== '' ? rtrId : refundReference
  if (status === 'EM_PROCESSAMENTO') return { kind: 'pending', channelRef }
  if (status === 'NAO_REALIZADO')
    return { ...failed('declined', theirReason(motivo, 'The bank did not carry out the refund')), channelRef }
  const amount = amountIn(valor, refund.currency)
  if (status !== 'DEVOLVIDO' || amount === 0n) return unknown("the bank's refund has no known state")
  return { kind: 'succeeded', money: { amount, currency: refund.currency }, channelRef }
}
