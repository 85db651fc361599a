// Maps charges to the Pix API's charges ("cob") and back.
import { createHash } from 'node:crypto'
import { formatAmount, parseAmount } from '../../src/platform/base/money.ts'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import type {
  BankCharge,
  BankDeposit,
  BankDispute,
  BankOrder,
  BankRefund,
  ChargeStatus,
} from '../bank/charge.ts'
import { InvalidRequest, readText } from '../issuer-request.ts'
import { brCode } from './br-code.ts'

const CURRENCY = 'BRL'
/** The bank number in the ids of transfers. No real bank has this number. */
const ISPB = '99999999'

export const statuses: Readonly<Record<ChargeStatus, string>> = {
  open: 'ATIVA',
  paid: 'CONCLUIDA',
  cancelled: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  // The API has no status for a charge that the payer declined.
  declined: 'REMOVIDA_PELO_PSP',
}

export function readCob(txid: string, body: Fields, callbackUrl: string): BankOrder {
  const { solicitacaoPagador: payee } = body
  return {
    reference: txid,
    amount: readValor(isObject(body.valor) ? body.valor.original : undefined),
    currency: CURRENCY,
    returnUrl: '',
    callbackUrl,
    payee: typeof payee === 'string' && payee !== '' ? payee : 'Tollgate Sandbox',
    extra: {
      chave: readText(body, 'chave', /^.{1,77}$/),
      calendario: body.calendario,
      devedor: body.devedor,
    },
  }
}

export function readValor(valor: unknown): string {
  const amount = typeof valor === 'string' ? parseAmount(valor, CURRENCY) : undefined
  if (amount === undefined) throw new InvalidRequest('valor is missing or wrong')
  return amount.toString()
}

export type CobPlace = {
  /** The address without its scheme, as in the API. */
  readonly location: string
  readonly payerUrl: string
}

export function toCob(
  charge: BankCharge,
  { location, payerUrl }: CobPlace,
  dispute: BankDispute | undefined,
): Fields {
  const { chave, calendario, devedor } = charge.extra
  const original = valorOf(charge)
  const criacao = charge.openedAt.toISOString()
  return {
    calendario: { criacao, ...(isObject(calendario) && calendario) },
    txid: charge.reference,
    revisao: 0,
    loc: { id: locationId(location), location, tipoCob: 'cob', criacao },
    location,
    status: statuses[charge.status],
    ...(isObject(devedor) && { devedor }),
    valor: { original },
    chave,
    solicitacaoPagador: charge.payee,
    infoAdicionais: [{ nome: 'appUrl', valor: payerUrl }],
    pixCopiaECola: brCode({ location, amount: original, name: 'TOLLGATE SANDBOX', city: 'SAO PAULO' }),
    pix: toReceived(charge, dispute),
  }
}

function locationId(location: string): number {
  return createHash('sha256').update(location).digest().readUIntBE(0, 6)
}

/** Returns the Pix that the charge received. A dispute takes back the first of them. */
export function toReceived(charge: BankCharge, dispute: BankDispute | undefined): Fields[] {
  return charge.deposits.map((deposit, index) => ({
    ...toPix(charge, deposit),
    ...(index === 0 && dispute !== undefined && { devolucoes: [toMed(dispute)] }),
  }))
}

function toMed({ id, amount, currency, at }: BankDispute): Fields {
  const horario = new Date(at).toISOString()
  return {
    id: id.replaceAll('-', ''),
    rtrId: `D${ISPB}${id.replaceAll('-', '').slice(0, 23)}`,
    valor: valorOf({ amount, currency }),
    horario: { solicitacao: horario, liquidacao: horario },
    status: 'DEVOLVIDO',
    natureza: 'MED_FRAUDE',
    motivo: 'Fraude',
  }
}

function toPix(charge: BankCharge, deposit: BankDeposit): Fields {
  return {
    endToEndId: endToEndIdOf(deposit),
    txid: charge.reference,
    valor: valorOf(deposit),
    chave: charge.extra.chave,
    horario: deposit.at.toISOString(),
    pagador: { nome: deposit.payerName },
  }
}

/** The id consists of E, the bank's number, the minute and eleven characters. */
export function endToEndIdOf({ id, at }: BankDeposit): string {
  const minute = at.toISOString().replace(/\D/g, '').slice(0, 12)
  return `E${ISPB}${minute}${createHash('sha256').update(id).digest('hex').slice(0, 11)}`
}

const devolucoes = {
  processing: 'EM_PROCESSAMENTO',
  succeeded: 'DEVOLVIDO',
  failed: 'NAO_REALIZADO',
} as const

export function toDevolucao(refund: BankRefund): Fields {
  const { refundReference: id, status, reason, madeAt } = refund
  const rtrId = `D${ISPB}${refund.id.replaceAll('-', '').slice(0, 23)}`
  return {
    id,
    rtrId,
    valor: valorOf(refund),
    horario: { solicitacao: madeAt.toISOString() },
    status: devolucoes[status],
    ...(reason !== '' && { motivo: reason }),
  }
}

function valorOf({ amount, currency }: { readonly amount: string; readonly currency: string }): string {
  return formatAmount(BigInt(amount), currency)
}
