// Maps payments to the Pix API's charges and back. A response that is malformed or about another charge gives
// `unknown`.
import { formatAmount, type Money, parseAmount } from '../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type { Deposit, Failed, Outcome, PayerAction, StartRequest } from '../../contract/channel.ts'
import { taxNumberOf } from '../../methods/pix.ts'
import { payeeIn, writeBrCode } from '../../toolkit/formats/br-code.ts'
import { cancelled, failed, isWebAddress, unknown } from '../../toolkit/outcomes.ts'
import { readTime } from '../../toolkit/read-time.ts'
import type { Reply } from '../../toolkit/transport.ts'

export type Payee = { readonly pixKey: string; readonly payeeName: string; readonly payeeCity: string }

export const REMOVED_BY_US = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
const REMOVED_BY_BANK = 'REMOVIDA_PELO_PSP'
const BRL = 'BRL'
const MAX_TEXT = 140
/** The maximum difference between the bank's clock and ours. A wrong time zone may be part of the difference. */
const MAX_SKEW_MS = 12 * 3_600_000

export function toCob(request: StartRequest, { pixKey }: Payee, now: Date): Fields {
  const seconds = Math.max(Math.ceil((request.expiresAt.getTime() - now.getTime()) / 1000), 1)
  return {
    calendario: { expiracao: seconds },
    ...devedorOf(request),
    valor: { original: formatAmount(request.money.amount, request.money.currency) },
    chave: pixKey,
    solicitacaoPagador: request.merchantName.slice(0, MAX_TEXT),
  }
}

const placeholder = { seconds: 1, amount: '0.01' }

/** Returns a placeholder: a charge of one centavo that no payer sees. After it, no other charge can have the txid. */
export function toPlaceholder({ pixKey }: Payee): Fields {
  const { seconds, amount } = placeholder
  return { calendario: { expiracao: seconds }, valor: { original: amount }, chave: pixKey }
}

/** True if the charge is a placeholder that was not removed yet. */
export function isPlaceholder(reply: Reply): boolean {
  if (reply.kind !== 'answer' || !isObject(reply.body)) return false
  const { status, valor, calendario } = reply.body
  const isShort = isObject(calendario) && calendario.expiracao === placeholder.seconds
  return status === 'ATIVA' && isShort && isObject(valor) && valor.original === placeholder.amount
}

/** Returns the payer (`devedor`) if the name and a valid tax number are known. Otherwise returns an empty object. */
function devedorOf({ personal, details }: StartRequest): Fields {
  const { socialSecurityNumber: number } = { ...details, ...personal }
  const tax = typeof number === 'string' ? taxNumberOf(number) : undefined
  const { name } = details
  if (tax === undefined || typeof name !== 'string' || name === '') return {}
  return { devedor: { ...tax, nome: name.slice(0, 200) } }
}

type Charge = { readonly txid: string; readonly money: Money; readonly payee: Payee }

/**
 * True if the bank itself answered with one of the statuses. An error page of a proxy proves nothing, because the bank
 * may have processed the request.
 */
export function isTheirs(reply: Reply, ...statuses: readonly number[]): boolean {
  return reply.kind === 'answer' && statuses.includes(reply.status) && isObject(reply.body)
}

export function fromCob(reply: Reply, charge: Charge): Outcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const cob = isObject(reply.body) ? reply.body : undefined
  if ((reply.status !== 200 && reply.status !== 201) || cob === undefined)
    return unknown(`the bank responded ${reply.status}`)
  if (cob.txid !== charge.txid) return unknown('the bank responded about another charge')
  const deposits = depositsIn(cob)
  if (deposits === undefined) return unknown('the bank sent a malformed Pix')
  const removed = removedBy(cob.status)
  if (removed !== undefined)
    return { ...removed, channelRef: charge.txid, ...(deposits.length > 0 && { deposits }) }
  if (cob.status !== 'ATIVA' && cob.status !== 'CONCLUIDA')
    return unknown("the bank's charge has no known state")
  return waiting(cob, charge, deposits)
}

/**
 * Returns the outcome of a charge after its cancellation, which the bank may refuse for good. The API has no status for
 * an expired charge, so the expiry is computed. An expired charge can no longer be paid and counts as cancelled. If the
 * charge may still be paid, the outcome is `unknown`.
 */
export function fromCancelled(reply: Reply, charge: Charge, now: Date): Outcome {
  const outcome = fromCob(reply, charge)
  if (outcome.kind !== 'pending' && outcome.kind !== 'unknown') return outcome
  if (isExpired(reply, charge, now)) return { ...cancelled, channelRef: charge.txid }
  return outcome.kind === 'pending' ? unknown('the bank did not remove the charge') : outcome
}

function isExpired(reply: Reply, { txid }: Charge, now: Date): boolean {
  if (reply.kind !== 'answer' || reply.status !== 200 || !isObject(reply.body)) return false
  const { txid: theirs, status, calendario } = reply.body
  if (theirs !== txid || status !== 'ATIVA' || depositsIn(reply.body)?.length !== 0) return false
  const { criacao, expiracao } = isObject(calendario) ? calendario : {}
  const createdAt = readTime(criacao)
  if (createdAt === undefined || typeof expiracao !== 'number') return false
  return createdAt.getTime() + expiracao * 1000 + MAX_SKEW_MS < now.getTime()
}

function waiting(cob: Fields, charge: Charge, deposits: readonly Deposit[]): Outcome {
  const action = actionOf(cob, charge)
  const channelRef = charge.txid
  // Received money counts even without a valid QR code, because the bank need not send the code again after the
  // payment.
  if (deposits.length > 0) return { kind: 'received', channelRef, deposits, ...(action && { action }) }
  if (action === undefined) return unknown("the bank's QR code is not for this amount")
  return cob.status === 'ATIVA'
    ? { kind: 'pending', channelRef, action }
    : unknown('the bank reports the charge as paid, but no Pix')
}

function removedBy(status: unknown): Failed | undefined {
  if (status === REMOVED_BY_US) return cancelled
  if (status === REMOVED_BY_BANK) return failed('declined', "The payer's bank declined the payment")
  return undefined
}

/** Returns the amount of the charge according to the bank's answer, for callers that do not know the amount. */
export function moneyIn(reply: Reply): Money {
  const valor = reply.kind === 'answer' && isObject(reply.body) ? reply.body.valor : undefined
  const original = isObject(valor) && typeof valor.original === 'string' ? valor.original : ''
  return { amount: parseAmount(original, BRL) ?? 0n, currency: BRL }
}

/** Returns the received Pix of the charge. The txid is added to each Pix, because some banks omit it. */
export function receivedIn(reply: Reply, txid: string): readonly Fields[] {
  const pix = reply.kind === 'answer' && isObject(reply.body) ? reply.body.pix : undefined
  return Array.isArray(pix) ? pix.filter(isObject).map((one) => ({ ...one, txid })) : []
}

/**
 * Returns the payer's action. Undefined if the amount differs, or if the QR code is missing or belongs to another
 * charge.
 */
function actionOf(cob: Fields, { txid, money, payee }: Charge): PayerAction | undefined {
  const original = isObject(cob.valor) ? cob.valor.original : undefined
  if (original !== formatAmount(money.amount, money.currency)) return undefined
  const qrCode = codeIn(cob, money, payee)
  const payeeName = qrCode && payeeIn(qrCode, { money, txid })
  if (qrCode === undefined || payeeName === undefined) return undefined
  const appUrl = appUrlIn(cob)
  return { kind: 'qr', qrCode, payee: payeeName, reference: txid, ...(appUrl && { appUrl }) }
}

/**
 * Returns the text of the QR code. Banks with an older version of the API return only the charge's location, from which
 * this function composes the text.
 */
function codeIn(cob: Fields, money: Money, payee: Payee): string | undefined {
  if (typeof cob.pixCopiaECola === 'string') return cob.pixCopiaECola
  const location = isObject(cob.loc) ? cob.loc.location : cob.location
  return typeof location === 'string' && /^[!-~]{1,77}$/.test(location)
    ? writeBrCode({ ...payee, money, location })
    : undefined
}

/** Returns the URL that opens the bank's app. Undefined if the charge's additional information does not contain it. */
function appUrlIn({ infoAdicionais }: Fields): string | undefined {
  const remarks: readonly unknown[] = Array.isArray(infoAdicionais) ? infoAdicionais : []
  const found = remarks.find((remark): remark is Fields => isObject(remark) && remark.nome === 'appUrl')
  const valor = found?.valor
  return isWebAddress(valor) ? valor : undefined
}

/** Returns the received Pix. Undefined if an entry is malformed, because skipping the entry would lose money. */
function depositsIn({ pix = [] }: Fields): readonly Deposit[] | undefined {
  if (!Array.isArray(pix)) return undefined
  const read = pix.map(toDeposit)
  const deposits = read.filter((deposit) => deposit !== undefined)
  return deposits.length === read.length ? deposits : undefined
}

function toDeposit(pix: unknown): Deposit | undefined {
  if (!isObject(pix)) return undefined
  const { endToEndId, valor, horario, pagador } = pix
  const amount = typeof valor === 'string' ? parseAmount(valor, BRL) : undefined
  const at = readTime(horario)
  if (typeof endToEndId !== 'string' || !/^[0-9A-Za-z]{32}$/.test(endToEndId)) return undefined
  if (amount === undefined || at === undefined) return undefined
  const { nome, cpf, cnpj } = isObject(pagador) ? pagador : {}
  const account = cpf ?? cnpj
  return {
    depositRef: endToEndId,
    money: { amount, currency: BRL },
    at,
    ...(typeof nome === 'string' && { payerName: nome }),
    ...(typeof account === 'string' && { payerAccount: account }),
  }
}
