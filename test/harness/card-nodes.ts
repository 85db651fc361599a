// Several nodes on one database with one card issuer. Tests break the line between a node and the issuer.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openCardBook } from '../sandbox/card-book.ts'
import { createCardIssuer } from '../sandbox/card-issuer.ts'
import { createCardChannel } from '../src/channels/card/card-channel.ts'
import { createRouting, registerChannels } from '../src/channels/routing.ts'
import type { IssuerTransport, Reply } from '../src/channels/transport.ts'
import { Gate } from '../src/concurrency/gate.ts'
import { createSingleFlight } from '../src/concurrency/single-flight.ts'
import type { FoundPayment } from '../src/order-queries/find-payment.ts'
import type { NewPayment } from '../src/orders/new-order.ts'
import { openBatches } from '../src/payments/batches.ts'
import { makePayment } from '../src/payments/make-payment.ts'
import { startResolver } from '../src/payments/worker.ts'
import type { Db } from '../src/postgres/db.ts'
import { noRates } from './builders.ts'
import { inProcessTransport } from './in-process-transport.ts'
import { noAlarms } from './no-alarms.ts'

export type Line = (deliver: () => Promise<Reply>, operation: string) => Promise<Reply>

const SILENT: Reply = { kind: 'silent', why: 'no response in time' }

export const goodLine: Line = (deliver) => deliver()
/** The issuer acts, but the response is lost. */
export const losesAnswers: Line = async (deliver) => {
  await deliver()
  return SILENT
}
export const losesRequests: Line = async () => SILENT

export type CardNodes = ReturnType<typeof openCardNodes>
export type CardNode = ReturnType<CardNodes['start']>

export function openCardNodes(db: Db) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nodes-'))
  const bookFile = join(folder, 'issuer.sqlite')
  let nowMs = Date.now()
  const clock = { now: () => new Date(nowMs) }
  const acsUrl = () => 'http://127.0.0.1:1/acs'
  const issuer = createCardIssuer({ bookFile, clock, minuteMs: 60_000, acsUrl })
  const book = openCardBook(bookFile)
  const inside = inProcessTransport(issuer)
  /** Every call of a node: operation and reference. */
  const calls: { readonly operation: string; readonly reference: unknown }[] = []
  const alarms: string[] = []

  /** Like a separate process: it shares only the database with the others. */
  function start(line: Line = goodLine) {
    const transport: IssuerTransport = (operation, body, signal) => {
      calls.push({ operation, reference: body.merchantReference })
      return line(() => inside(operation, body, signal), operation)
    }
    const channel = createCardChannel({ transport, timeoutMs: 1_000, alarms: noAlarms, clock })
    const channels = registerChannels([channel])
    const deps = {
      db,
      clock,
      channels,
      routing: createRouting({ channels, clock }),
      baseUrl: 'http://127.0.0.1:1',
      batches: openBatches({ db, rates: noRates }, 1_000, () => {}),
      gate: new Gate({ most: 1_000 }),
      payerCalls: createSingleFlight<FoundPayment | undefined>(),
      alarm: (_tradeNo: string, what: string) => void alarms.push(what),
      alarmsOf: () => noAlarms,
      log: pino({ level: 'silent' }),
      forbidCard: async () => {},
    }
    const pay = (payment: NewPayment) =>
      deps.gate.countOf(payment.merNo, () =>
        makePayment(deps, {
          payment,
          channels: [channel],
          terminals: ['WEB'],
          card,
          walletToken: undefined,
          personal: {},
          merchantName: 'Corner Shop',
          completeUrl: 'http://a.example',
        }),
      )
    return { deps, channel, pay, resolve: () => resolveOnce(deps) }
  }

  return {
    start,
    clock,
    calls,
    alarms,
    book,
    pass: (ms: number) => {
      nowMs += ms
    },
    close() {
      book.close()
      issuer.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2039', securityCode: '123' }

/** Runs the resolver once. */
async function resolveOnce(deps: Parameters<typeof startResolver>[0]): Promise<void> {
  await startResolver(deps).stop()
}
