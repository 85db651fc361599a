// Outgoing Pix at Efí. Our reference is the transfer's id and the idempotency key, so a repeated request pays once.
import { formatAmount } from '../../../../platform/base/money.ts'
import { type Fields, isObject, objectsIn } from '../../../../platform/base/object.ts'
import type { PayoutOutcome } from '../../../contract/payout-outcome.ts'
import type { ChannelStore } from '../../../contract/store.ts'
import { failed, unknown } from '../../../toolkit/outcomes.ts'
import { sendOnRecord } from '../../../toolkit/records/sent-before.ts'
import type { Reply } from '../../../toolkit/transport.ts'
import type { PixApi } from '../api.ts'
import { isTheirs } from '../wire.ts'
import {
  absent,
  amountIn,
  type OutgoingForm,
  type OutgoingPix,
  refusalIn,
  returned,
  succeeded,
} from './rail.ts'

export function createEfiForm(api: PixApi, payerKey: string, store: ChannelStore): OutgoingForm {
  const query = (reference: string, signal: AbortSignal) =>
    api({ method: 'GET', path: `/v2/gn/pix/enviados/id-envio/${reference}` }, signal)

  async function send(pix: OutgoingPix, signal: AbortSignal): Promise<PayoutOutcome> {
    const path = `/v3/gn/pix/${pix.reference}`
    const reply = await api({ method: 'PUT', path, body: toEnvio(pix, payerKey) }, signal)
    const refusal = refusalIn(reply)
    if (refusal === undefined) return fromEnvio(reply, pix.reference)
    if (refusal.cause !== 'refused') return refusal
    // The bank may have refused because an earlier call for the same payout has used the id.
    const found = await query(pix.reference, signal)
    return isTheirs(found, 404) ? refusal : fromEnvio(found, pix.reference)
  }

  return {
    send: (pix, signal) => sendOnRecord(store, pix.reference, () => send(pix, signal)),
    async ask(reference, signal) {
      const reply = await query(reference, signal)
      return isTheirs(reply, 404) ? absent : fromEnvio(reply, reference)
    },
  }
}

function toEnvio({ money, key }: OutgoingPix, payerKey: string): Fields {
  return {
    valor: formatAmount(money.amount, money.currency),
    pagador: { chave: payerKey },
    favorecido: { chave: key },
  }
}

function fromEnvio(reply: Reply, reference: string): PayoutOutcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const envio = isObject(reply.body) ? reply.body : undefined
  if ((reply.status !== 200 && reply.status !== 201) || envio === undefined)
    return unknown(`the bank responded ${reply.status}`)
  if (envio.idEnvio !== reference) return unknown('the bank responded about another Pix')
  const railRef = String(envio.endToEndId ?? envio.e2eId ?? reference)
  if (envio.status === 'EM_PROCESSAMENTO') return { kind: 'processing', railRef }
  if (envio.status === 'REALIZADO') {
    const back = backIn(envio)
    const sent = amountIn(envio.valor)
    // If the beneficiary returns only a part, the payout still counts as paid.
    return sent !== undefined && back >= sent ? returned(back) : succeeded(envio.valor, railRef)
  }
  if (envio.status === 'NAO_REALIZADO')
    return { ...failed('declined', 'The bank did not carry out the Pix'), railRef }
  return unknown("the bank's Pix has no known state")
}

function backIn({ devolucoes }: Fields): bigint {
  const back = objectsIn(devolucoes)
    .filter(({ status }) => status === 'DEVOLVIDO')
    .map((one) => amountIn(one.valor) ?? 0n)
  return back.reduce((sum, amount) => sum + amount, 0n)
}
