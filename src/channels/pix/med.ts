// The chargebacks of Pix: under the central bank's refund mechanism (MED), the payer's bank takes a received Pix back unasked. It
// shows as a refund (devolução) of the Pix with a nature that begins with MED.
import { parseAmount } from '../../base/money.ts'
import { type Fields, isObject } from '../../base/object.ts'
import type { Dispute } from '../contract.ts'
import { readTime } from '../read-time.ts'

/** The disputes in a list of received Pix; undefined when one is malformed, because skipping it would lose it. */
export function disputesIn(received: unknown): readonly Dispute[] | undefined {
  if (!Array.isArray(received)) return undefined
  const read = received.filter(isObject).flatMap((pix) => takenBack(pix).map((one) => disputeOf(pix, one)))
  const disputes = read.filter((dispute) => dispute !== undefined)
  return disputes.length === read.length ? disputes : undefined
}

/** A Pix without a txid belongs to no charge, and so to no payment of ours. */
function takenBack({ txid, devolucoes }: Fields): readonly Fields[] {
  if (typeof txid !== 'string' || !Array.isArray(devolucoes)) return []
  return devolucoes.filter(isObject).filter(isMed)
}

function isMed({ natureza, status }: Fields): boolean {
  return typeof natureza === 'string' && natureza.startsWith('MED') && status === 'DEVOLVIDO'
}

function disputeOf({ txid, endToEndId, horario }: Fields, devolucao: Fields): Dispute | undefined {
  const { natureza, valor, id, rtrId } = devolucao
  const amount = typeof valor === 'string' ? parseAmount(valor, 'BRL') : undefined
  const at = returnedAt(devolucao) ?? readTime(horario)
  const own = [rtrId, id].find((one) => typeof one === 'string' && one !== '')
  if (amount === undefined || amount === 0n || at === undefined || own === undefined) return undefined
  // Without it, the returns of two Pix could have one name.
  if (typeof endToEndId !== 'string' || endToEndId === '') return undefined
  return {
    disputeRef: `${endToEndId}-${own}`,
    reference: String(txid),
    money: { amount, currency: 'BRL' },
    reason: String(natureza),
    at,
  }
}

function returnedAt({ horario }: Fields): Date | undefined {
  const { liquidacao, solicitacao } = isObject(horario) ? horario : {}
  return readTime(liquidacao) ?? readTime(solicitacao)
}
