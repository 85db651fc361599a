// Alipay's webhooks about trades. A signed webhook decides its trade. The state `TRADE_CLOSED` is ambiguous, so the
// trade is queried.
import type { KeyObject } from 'node:crypto'
import type { Callback, CallbackResult } from '../../contract/channel.ts'
import type { AlipayReply } from './api.ts'
import { isSignedNotice } from './signature.ts'
import { fromTrade, paid } from './wire.ts'

type CallbackParts = {
  readonly appId: string
  readonly alipayKey: KeyObject
  readonly query: (reference: string, signal: AbortSignal) => Promise<AlipayReply>
}

export async function readAlipayCallback(
  callback: Callback,
  { appId, alipayKey, query }: CallbackParts,
  signal: AbortSignal,
): Promise<CallbackResult> {
  const notice = Object.fromEntries(new URLSearchParams(callback.body))
  if (!isSignedNotice(notice, alipayKey)) return refuse('the signature is missing or wrong')
  const { out_trade_no: reference = '', trade_no: no = '', trade_status: status } = notice
  if (notice.app_id !== appId || reference === '' || !/^\w{1,64}$/.test(no))
    return refuse('the callback is not about one of our trades')
  if (status === 'WAIT_BUYER_PAY') return accept([])
  // A closed trade was either never paid or fully refunded. The query tells the two cases apart.
  const isClosed = status === 'TRADE_CLOSED'
  const trade = { reference, isOver: false }
  const outcome = isClosed ? fromTrade(await query(reference, signal), trade) : paid(notice, no)
  if (!isClosed && status !== 'TRADE_SUCCESS' && status !== 'TRADE_FINISHED')
    return refuse('the callback has no known state')
  return outcome.kind === 'unknown' ? refuse(outcome.why) : accept([{ reference, outcome }])
}

function accept(reports: Extract<CallbackResult, { kind: 'accepted' }>['reports']): CallbackResult {
  return { kind: 'accepted', reports, answer: { status: 200, type: 'text/plain', body: 'success' } }
}

function refuse(why: string): CallbackResult {
  return { kind: 'refused', why, answer: { status: 400, type: 'text/plain', body: 'fail' } }
}
