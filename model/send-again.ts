// Serves the merchant interface on this machine, so that the back office can send a logged request again.
import { runAgain } from '../src/interfaces/backoffice/requests/run-again.ts'
import { createRefundHandler } from '../src/interfaces/merchant-api/handlers/refund.ts'
import { openRefundBatches } from '../src/money/refunds/batches.ts'
import type { WholeRequest } from '../src/platform/request-log/entry.ts'
import { buildFrame } from '../test/harness/merchant-frame.ts'
import type { Gateway } from './gateway.ts'

type Body = { readonly merNo: number; readonly merOrderNo: string; readonly tradeNo: string }

export async function sendRefundAgain(gateway: Gateway, body: Body) {
  const { db, rates, clock } = gateway
  const refundBatches = openRefundBatches({ db, rates }, 1_000, () => {})
  const merchant = gateway.merchantOf(body)
  const handler = createRefundHandler({ ...gateway, refundBatches, poke: () => {} })
  const { app } = await buildFrame({ merchants: [merchant], handlers: { '/refund/apply': handler }, clock })
  try {
    const selfUrl = await app.listen({ port: 0, host: '127.0.0.1' })
    return await runAgain({ mode: 'sandbox', clock, selfUrl }, merchant, logged(body, clock.now()))
  } finally {
    await app.close()
  }
}

function logged(body: Body, at: Date): WholeRequest {
  const { merNo, merOrderNo, tradeNo } = body
  return {
    requestId: 'Q1',
    at,
    merNo,
    endpoint: '/refund/apply',
    code: '00000',
    status: 200,
    durationMs: 1,
    merOrderNo,
    tradeNo,
    reason: null,
    address: '',
    agent: '',
    paymentType: '',
    referer: '',
    body: JSON.stringify(body),
    answer: '',
  }
}
