// Reads STP's webhooks. A webhook reports a deposit, or the new state of one of our orders. Webhooks are not signed, so
// their content counts only after STP has confirmed it in answer to our own query.
import { type Fields, isObject } from '../../../platform/base/object.ts'
import { isEqualSecret } from '../../../platform/base/secret.ts'
import type { SingleFlight } from '../../../platform/concurrency/single-flight.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import type { Callback, CallbackAnswer, CallbackResult } from '../../contract/channel.ts'
import { type DepositParts, findPaid, payerBankOf, readListed } from './deposits.ts'
import type { Orders } from './orders.ts'
import type { StpRefunds } from './refunds.ts'
import { textOf } from './wire.ts'

export type Asked = Awaited<ReturnType<Orders['ask']>>

type StpCallbackParts = DepositParts & {
  readonly orders: Orders
  /** Limits the queries to one per order at a time, even if many webhooks name the order. */
  readonly questions: SingleFlight<Asked>
  readonly refunds: StpRefunds
  /** The secret that is the last segment of the callback URL. Undefined if webhooks may come to any URL. */
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
  // The answer to a malformed message must not be `devolver`, which makes STP send the money back.
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
  // An order that is not in our records was sent by another system from the same account.
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
  // A deposit to our own account is the operator's own money, which funds payouts.
  if (clabe === parts.ownClabe)
    return { kind: 'accepted', reports: [], answer: answer(200, { mensaje: 'confirmar' }) }
  const paid = await findPaid(clabe, parts)
  if (paid === undefined) return refuse(400, 'a deposit to an unknown CLABE', { mensaje: 'devolver', id: 1 })
  const listed = await lists.find(textOf(message.fechaOperacion), (order) => isSame(order, message))
  const found = listed && readListed(listed)
  if (found === undefined || found.state === 'failed') return refuse(503, 'STP does not list the deposit')
  const { reference, payment } = paid
  const confirmed = { kind: 'accepted', answer: answer(200, { mensaje: 'confirmar' }) } as const
  if (found.state === 'processing') {
    // STP settles the deposit after our confirmation. The watcher later finds the deposit settled and counts it.
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
