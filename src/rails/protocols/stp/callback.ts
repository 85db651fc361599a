// STP's messages: a deposit, or the new state of an order of ours. They are not signed. Whoever sent one, what it says is only
// believed once STP says the same in response to our own question.
import { type Fields, isObject } from '../../base/object.ts'
import { isEqualSecret } from '../../base/secret.ts'
import type { SingleFlight } from '../../concurrency/single-flight.ts'
import { parseJson } from '../../http/client/http-client.ts'
import type { Callback, CallbackAnswer, CallbackResult } from '../contract.ts'
import { type DepositParts, findPaid, payerBankOf, readListed } from './deposits.ts'
import { type Orders, textOf } from './orders.ts'
import type { StpRefunds } from './refunds.ts'

export type Asked = Awaited<ReturnType<Orders['ask']>>

export type StpCallbackParts = DepositParts & {
  readonly orders: Orders
  /** One question about an order at a time, however many messages name it. If it came too early, the next one tells. */
  readonly questions: SingleFlight<Asked>
  readonly refunds: StpRefunds
  /** The last part of the callback address; unset: any. */
  readonly callbackSecret: string | undefined
}

export async function readStpCallback(
  callback: Callback,
  parts: StpCallbackParts,
  signal: AbortSignal,
): Promise<CallbackResult> {
  const { callbackSecret } = parts
  const proof = callback.path.split('/').at(-1) ?? ''
  if (callbackSecret !== undefined && !isEqualSecret(proof, callbackSecret))
    return refuse(401, 'the callback address lacks its secret')
  const message = parseJson(callback.body)
  if (!isObject(message)) return refuse(400, 'the callback is not JSON')
  const { cuentaBeneficiario: clabe } = message
  if (clabe === undefined) return readState(message, parts, signal)
  // Sending money back needs a reason: rubbish is none.
  if (typeof clabe !== 'string') return refuse(400, 'the callback names no CLABE')
  return readDeposit(message, clabe.trim(), parts)
}

async function readState(
  message: Fields,
  { orders, questions, refunds }: StpCallbackParts,
  signal: AbortSignal,
): Promise<CallbackResult> {
  const reference = textOf(message.folioOrigen)
  const purpose = reference === '' ? undefined : await orders.purposeOf(reference)
  const accepted = { kind: 'accepted', reports: [], answer: answer(200, { mensaje: 'recibido' }) } as const
  // An order that somebody else sent from the same account.
  if (purpose === undefined) return accepted
  const outcome = await questions.run(reference, '', () => orders.ask(reference, signal))
  if (outcome.kind === 'absent' || outcome.kind === 'unknown')
    return refuse(503, outcome.kind === 'unknown' ? outcome.why : 'STP does not list the order')
  return purpose === 'payout'
    ? { ...accepted, payouts: [{ reference, outcome }] }
    : {
        ...accepted,
        refunds: [{ refundReference: reference, outcome: await refunds.end(reference, outcome) }],
      }
}

async function readDeposit(message: Fields, clabe: string, parts: StpCallbackParts): Promise<CallbackResult> {
  const { payments, lists } = parts
  // The operator's own money, for payouts.
  if (clabe === parts.ownClabe)
    return { kind: 'accepted', reports: [], answer: answer(200, { mensaje: 'confirmar' }) }
  const paid = await findPaid(clabe, parts)
  // STP sends the money back.
  if (paid === undefined) return refuse(400, 'a deposit to an unknown CLABE', { mensaje: 'devolver', id: 1 })
  const listed = await lists.find(textOf(message.fechaOperacion), (order) => isSame(order, message))
  const found = listed && readListed(listed)
  if (found === undefined || found.state === 'failed') return refuse(503, 'STP does not list the deposit')
  const { reference, payment } = paid
  const confirmed = { kind: 'accepted', answer: answer(200, { mensaje: 'confirmar' }) } as const
  if (found.state === 'processing') {
    // STP settles it once we confirm it. The watcher looks for that.
    await payments.expectDeposit(reference, found.deposit.depositRef, parts.clock.now())
    return { ...confirmed, reports: [] }
  }
  await payments.addDeposit(reference, found.deposit)
  const outcome = await payments.outcomeOf(reference, payment)
  return { ...confirmed, reports: [{ reference, outcome }] }
}

const identity = ['claveRastreo', 'cuentaBeneficiario'] as const

function isSame(order: Fields, message: Fields): boolean {
  const isBank = payerBankOf(order) === textOf(message.institucionOrdenante)
  return isBank && identity.every((name) => textOf(order[name]) === textOf(message[name]))
}

function answer(status: number, body: Fields): CallbackAnswer {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}

function refuse(status: number, why: string, body: Fields = { mensaje: why }): CallbackResult {
  return { kind: 'refused', why, answer: answer(status, body) }
}
