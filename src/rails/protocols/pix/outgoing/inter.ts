// Outgoing Pix at Banco Inter. A Pix can be queried only by the bank's own code, which is unknown if the response was
// lost. So the Pix is recorded before it is sent. While the code is unknown, `ask` sends the Pix again with the same
// idempotency key: the bank pays once, and returns the first code. The code then replaces the recorded Pix, so that the
// beneficiary's key is no longer stored.
//
// A refusal fails the payout only if no earlier call can have reached the bank: the bank may refuse to repeat a Pix
// that it has paid. The bank does not say how long it keeps an idempotency key, so after REPEAT_MS a repeated Pix could
// be paid twice. From then on, the Pix is not sent again, and the payout stays unknown.
import { createHash } from 'node:crypto'
import type { Clock } from '../../../../platform/base/clock.ts'
import { timeOf } from '../../../../platform/base/id.ts'
import { formatAmount } from '../../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../../platform/base/object.ts'
import type { PayoutFailed, PayoutOutcome } from '../../../contract/payout-outcome.ts'
import type { ChannelRecord, ChannelStore, RecordBody } from '../../../contract/store.ts'
import { failed, unknown } from '../../../toolkit/outcomes.ts'
import type { Reply } from '../../../toolkit/transport.ts'
import type { PixApi } from '../api.ts'
import { absent, type OutgoingForm, type OutgoingPix, refusalIn, returned, succeeded } from './rail.ts'

const KIND = 'outgoing'
const PATH = '/banking/v2/pix'
const REPEATED =
  "the bank refused to repeat a Pix that it may have paid: look for it in the bank's statement, and decide it by hand"
const REPEAT_MS = 86_400_000
const TOO_OLD =
  "the bank did not answer for a day, and may have paid: look for the Pix in the bank's statement, and decide it by hand"

type Call = {
  readonly reference: string
  readonly pix: Fields
  /** True if no earlier call can have reached the bank. */
  readonly isFirst: boolean
}

export function createInterForm(api: PixApi, store: ChannelStore, clock: Clock): OutgoingForm {
  /** Returns the record that is stored before a call. If a Pix has such a record, it may have been sent. */
  const onItsWay = (pix: Fields) => ({ pix, sentAt: clock.now().toISOString() })
  const write = (change: 'add' | 'put', reference: string, body: RecordBody) => {
    const record = { kind: KIND, key: reference, reference, body }
    return store.write([change === 'add' ? { add: record } : { put: record }])
  }

  async function query(code: string, reference: string, signal: AbortSignal): Promise<PayoutOutcome> {
    const path = `${PATH}/${encodeURIComponent(code)}`
    return fromPayment(await api({ method: 'GET', path }, signal), code, reference)
  }

  async function post(call: Call, signal: AbortSignal): Promise<PayoutOutcome> {
    const { reference, pix: body, isFirst } = call
    const headers = { 'x-id-idempotente': keyOf(reference) }
    const reply = await api({ method: 'POST', path: PATH, body, headers }, signal)
    const refusal = refusalIn(reply)
    if (refusal !== undefined && isFirst) return refused(call, refusal)
    if (refusal !== undefined) return unknown(refusal.cause === 'refused' ? REPEATED : refusal.message)
    const code = codeIn(reply)
    if (code === undefined) return unknown('the bank returned no code')
    await write('put', reference, { code })
    return query(code, reference, signal)
  }

  /**
   * Records that this call certainly sent no Pix. If the bank refused the Pix, the record is removed. If the bank was
   * not reached or refused our credentials, the next call counts as the first.
   */
  async function refused({ reference, pix }: Call, refusal: PayoutFailed): Promise<PayoutOutcome> {
    if (refusal.cause === 'refused') await store.write([{ remove: { kind: KIND, key: reference } }])
    else await write('put', reference, { pix, isUnsent: true })
    return refusal
  }

  async function ask(reference: string, signal: AbortSignal) {
    const record = await store.find({ kind: KIND, key: reference })
    if (record === undefined) return absent
    const { code, pix, isUnsent } = record.body
    if (typeof code === 'string') return query(code, reference, signal)
    const call = { reference, pix: isObject(pix) ? pix : {}, isFirst: isUnsent === true }
    if (call.isFirst) await write('put', reference, onItsWay(call.pix))
    else if (clock.now().getTime() - sentAtOf(record).getTime() > REPEAT_MS) return unknown(TOO_OLD)
    const outcome = await post(call, signal)
    const isOfThisCall =
      outcome.kind === 'failed' && outcome.cause !== 'declined' && outcome.cause !== 'refused'
    return isOfThisCall ? unknown(outcome.message) : outcome
  }

  return {
    async send(pix, signal) {
      const body = toPix(pix)
      const [isNew] = await write('add', pix.reference, onItsWay(body))
      if (isNew) return post({ reference: pix.reference, pix: body, isFirst: true }, signal)
      const found = await ask(pix.reference, signal)
      return found.kind === 'absent' ? unknown('an earlier call was just refused') : found
    },
    ask,
  }
}

/**
 * Returns when the Pix was first sent. Records of an older version do not contain this time. For them, returns when the
 * payout was created, which is never later.
 */
function sentAtOf({ key, body }: ChannelRecord): Date {
  return typeof body.sentAt === 'string' ? new Date(body.sentAt) : timeOf(key)
}

/**
 * Returns the idempotency key, a UUID. The key is derived from the reference, so that all retries have the same key.
 */
function keyOf(reference: string): string {
  const hex = createHash('sha256').update(reference).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function toPix({ money, key, reference }: OutgoingPix): Fields {
  return {
    valor: formatAmount(money.amount, money.currency),
    descricao: reference,
    destinatario: { tipo: 'CHAVE', chave: key },
  }
}

function codeIn(reply: Reply): string | undefined {
  const body = reply.kind === 'answer' && reply.status >= 200 && reply.status < 300 ? reply.body : undefined
  const code = isObject(body) ? body.codigoSolicitacao : undefined
  return typeof code === 'string' && code !== '' ? code : undefined
}

function fromPayment(reply: Reply, code: string, reference: string): PayoutOutcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  if (reply.status === 404 && isObject(reply.body))
    return { kind: 'unknown', why: 'the bank does not list its code any more', isUnlisted: true }
  const body = reply.status === 200 && isObject(reply.body) ? reply.body : undefined
  const pix = isObject(body?.transacaoPix) ? body.transacaoPix : undefined
  if (pix === undefined) return unknown(`the bank responded ${reply.status}`)
  if (pix.descricao !== undefined && pix.descricao !== reference)
    return unknown('the bank responded about another Pix')
  const state = states.get(String(pix.status))
  if (state === 'processing') return { kind: 'processing', railRef: code }
  if (state === 'paid') return succeeded(pix.valor, code)
  // The bank does not state how much of the Pix came back: `valor` is the amount that was sent.
  if (state === 'returned') return returned(undefined)
  if (state === 'declined')
    return { ...failed('declined', 'The bank did not carry out the Pix'), railRef: code }
  return unknown("the bank's Pix has no known state")
}

const states: ReadonlyMap<string, 'processing' | 'paid' | 'returned' | 'declined'> = new Map([
  ['EM_PROCESSAMENTO', 'processing'],
  ['AGENDADO', 'processing'],
  ['APROVACAO', 'processing'],
  ['PAGO', 'paid'],
  ['DEVOLVIDO', 'returned'],
  ['CANCELADO', 'declined'],
  ['REPROVADO', 'declined'],
])
